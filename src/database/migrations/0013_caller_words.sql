ALTER TABLE "connect_settings" ADD COLUMN "announce_recordings" boolean;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "dial_ends" jsonb;