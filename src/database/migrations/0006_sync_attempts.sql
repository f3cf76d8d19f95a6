ALTER TABLE "connect_sync_run" ADD COLUMN "attempts" integer;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent" ADD COLUMN "create_asked_at" timestamp;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent_tool" ADD COLUMN "create_asked_at" timestamp;