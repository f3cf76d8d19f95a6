ALTER TABLE "connect_settings" ADD COLUMN "company_name" text;
--> statement-breakpoint
ALTER TABLE "connect_settings" ADD COLUMN "tz" text;
--> statement-breakpoint
ALTER TABLE "connect_settings" ADD COLUMN "secrets_set" jsonb;
--> statement-breakpoint
ALTER TABLE "connect_settings" ADD COLUMN "audio_keep_days" integer;
--> statement-breakpoint
ALTER TABLE "connect_settings" ADD COLUMN "transcript_keep_days" integer;
--> statement-breakpoint
ALTER TABLE "connect_recording" ADD COLUMN "audio_removed_at" timestamp;
--> statement-breakpoint
ALTER TABLE "connect_sync_run" ADD COLUMN "steps" jsonb;
--> statement-breakpoint
ALTER TABLE "connect_sync_run" ADD COLUMN "can_cancel" boolean;
--> statement-breakpoint
ALTER TABLE "connect_sync_run" ADD COLUMN "is_cancelled" boolean;
--> statement-breakpoint
CREATE INDEX "connect_channel_create_date_index" ON "connect_channel" USING btree ("create_date") WHERE status in ('queued', 'initiated', 'ringing', 'in-progress');
--> statement-breakpoint
CREATE INDEX "connect_recording_create_date_index" ON "connect_recording" USING btree ("create_date") WHERE media_ref is not null or media_url is not null;
--> statement-breakpoint
CREATE INDEX "connect_recording_create_date_id_index" ON "connect_recording" USING btree ("create_date","id") WHERE transcript is not null or voiceai_transcript is not null or turns is not null;
--> statement-breakpoint
CREATE INDEX "connect_voicemail_create_date_index" ON "connect_voicemail" USING btree ("create_date") WHERE media_ref is not null or url <> '';