ALTER TABLE "connect_settings" ADD COLUMN "voiceai_tools_open" boolean;
--> statement-breakpoint
ALTER TABLE "calendar_event" ADD COLUMN "made_in_call" bigint;
--> statement-breakpoint
ALTER TABLE "helpdesk_ticket" ADD COLUMN "made_in_call" bigint;
--> statement-breakpoint
ALTER TABLE "calendar_event" ADD CONSTRAINT "calendar_event_made_in_call_fkey" FOREIGN KEY ("made_in_call") REFERENCES "public"."connect_call"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "helpdesk_ticket" ADD CONSTRAINT "helpdesk_ticket_made_in_call_fkey" FOREIGN KEY ("made_in_call") REFERENCES "public"."connect_call"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "calendar_event_made_in_call_index" ON "calendar_event" USING btree ("made_in_call");
--> statement-breakpoint
CREATE INDEX "helpdesk_ticket_made_in_call_index" ON "helpdesk_ticket" USING btree ("made_in_call");