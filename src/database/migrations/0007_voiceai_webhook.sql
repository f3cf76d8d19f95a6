ALTER TABLE "connect_settings" ADD COLUMN "voiceai_llms" jsonb;
--> statement-breakpoint
ALTER TABLE "connect_settings" ADD COLUMN "voiceai_post_call_warning" text;
--> statement-breakpoint
ALTER TABLE "connect_settings" ADD COLUMN "voiceai_send_audio" boolean;
--> statement-breakpoint
UPDATE "connect_voiceai_agent" SET "max_duration_seconds" = least(greatest("max_duration_seconds", 60), 7200), "synced" = false WHERE "max_duration_seconds" NOT BETWEEN 60 AND 7200
--> statement-breakpoint
UPDATE "connect_voiceai_agent" SET "turn_timeout" = 30, "synced" = false WHERE "turn_timeout" > 30
