ALTER TABLE "connect_call" ADD COLUMN "callback_done_at" timestamp;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "callback_done_by" bigint;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD CONSTRAINT "connect_call_callback_done_by_fkey" FOREIGN KEY ("callback_done_by") REFERENCES "public"."res_users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "connect_call_create_date_id_index" ON "connect_call" USING btree ("create_date","id") WHERE outcome in ('missed', 'given_up', 'voicemail') and direction = 'incoming' and callback_done_at is null;