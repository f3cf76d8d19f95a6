ALTER TABLE "connect_recording" ADD COLUMN "turns" jsonb;
--> statement-breakpoint
ALTER TABLE "connect_recording" ADD COLUMN "conversation_started_at" timestamp;
--> statement-breakpoint
ALTER TABLE "connect_recording" ADD COLUMN "termination_reason" text;