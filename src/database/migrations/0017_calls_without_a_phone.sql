DROP INDEX "connect_call_create_date_id_index";
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "no_phone_rang" boolean;
--> statement-breakpoint
CREATE INDEX "connect_call_create_date_id_index" ON "connect_call" USING btree ("create_date","id") WHERE (outcome in ('missed', 'given_up', 'voicemail', 'failed') or outcome = 'agent' and (end_reason in ('caller_gave_up', 'nobody_answered', 'refused', 'not_reached') or no_phone_rang)) and direction = 'incoming' and callback_done_at is null;