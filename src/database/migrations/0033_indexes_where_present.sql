DROP INDEX "helpdesk_ticket_phone_normalized_index";
--> statement-breakpoint
DROP INDEX "helpdesk_ticket_made_in_call_index";
--> statement-breakpoint
DROP INDEX "connect_call_parent_call_index";
--> statement-breakpoint
DROP INDEX "connect_call_voiceai_agent_index";
--> statement-breakpoint
DROP INDEX "connect_call_ticket_index";
--> statement-breakpoint
DROP INDEX "connect_channel_parent_sid_index";
--> statement-breakpoint
DROP INDEX "connect_channel_parent_channel_index";
--> statement-breakpoint
DROP INDEX "connect_channel_caller_user_index";
--> statement-breakpoint
DROP INDEX "connect_channel_called_user_index";
--> statement-breakpoint
DROP INDEX "connect_message_sender_user_index";
--> statement-breakpoint
DROP INDEX "connect_delivery_conversation_index";
--> statement-breakpoint
DROP INDEX "connect_delivery_call_sid_index";
--> statement-breakpoint
CREATE INDEX "helpdesk_ticket_phone_normalized_index" ON "helpdesk_ticket" USING btree ("phone_normalized") WHERE "phone_normalized" is not null;
--> statement-breakpoint
CREATE INDEX "helpdesk_ticket_made_in_call_index" ON "helpdesk_ticket" USING btree ("made_in_call") WHERE "made_in_call" is not null;
--> statement-breakpoint
CREATE INDEX "connect_call_parent_call_index" ON "connect_call" USING btree ("parent_call") WHERE "parent_call" is not null;
--> statement-breakpoint
CREATE INDEX "connect_call_voiceai_agent_index" ON "connect_call" USING btree ("voiceai_agent") WHERE "voiceai_agent" is not null;
--> statement-breakpoint
CREATE INDEX "connect_call_ticket_index" ON "connect_call" USING btree ("ticket") WHERE "ticket" is not null;
--> statement-breakpoint
CREATE INDEX "connect_channel_parent_sid_index" ON "connect_channel" USING btree ("parent_sid") WHERE "parent_sid" is not null;
--> statement-breakpoint
CREATE INDEX "connect_channel_parent_channel_index" ON "connect_channel" USING btree ("parent_channel") WHERE "parent_channel" is not null;
--> statement-breakpoint
CREATE INDEX "connect_channel_caller_user_index" ON "connect_channel" USING btree ("caller_user") WHERE "caller_user" is not null;
--> statement-breakpoint
CREATE INDEX "connect_channel_called_user_index" ON "connect_channel" USING btree ("called_user") WHERE "called_user" is not null;
--> statement-breakpoint
CREATE INDEX "connect_message_sender_user_index" ON "connect_message" USING btree ("sender_user") WHERE "sender_user" is not null;
--> statement-breakpoint
CREATE INDEX "connect_delivery_conversation_index" ON "connect_delivery" USING btree ("conversation") WHERE "conversation" is not null;
--> statement-breakpoint
CREATE INDEX "connect_delivery_call_sid_index" ON "connect_delivery" USING btree ("call_sid") WHERE "call_sid" is not null;
--> statement-breakpoint
ALTER TABLE "connect_call" SET (fillfactor = 80);
--> statement-breakpoint
ALTER TABLE "connect_tool_answer" SET (fillfactor = 70);