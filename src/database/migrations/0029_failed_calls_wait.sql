DROP INDEX "connect_call_create_date_id_index";
--> statement-breakpoint
CREATE INDEX "connect_call_create_date_id_index" ON "connect_call" USING btree ("create_date","id") WHERE outcome in ('missed', 'given_up', 'voicemail', 'failed') and direction = 'incoming' and callback_done_at is null;