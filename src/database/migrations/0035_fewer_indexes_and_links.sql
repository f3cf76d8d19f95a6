ALTER TABLE "mail_message" DROP CONSTRAINT "mail_message_author_id_fkey";

--> statement-breakpoint
ALTER TABLE "connect_message" DROP CONSTRAINT "connect_message_conversation_fkey";

--> statement-breakpoint
DROP INDEX "connect_conversation_channel_ours_theirs_key";
--> statement-breakpoint
DROP INDEX "connect_conversation_theirs_index";
--> statement-breakpoint
DROP INDEX "connect_conversation_assigned_index";
--> statement-breakpoint
DROP INDEX "connect_conversation_last_message_index";
--> statement-breakpoint
DROP INDEX "connect_delivery_call_ref_id_index";
--> statement-breakpoint
CREATE UNIQUE INDEX "connect_conversation_theirs_ours_channel_key" ON "connect_conversation" USING btree ("theirs","ours","channel");
--> statement-breakpoint
CREATE INDEX "connect_conversation_assigned_index" ON "connect_conversation" USING btree ("assigned") WHERE "assigned" is not null;
--> statement-breakpoint
CREATE INDEX "connect_conversation_last_message_index" ON "connect_conversation" USING btree ("last_message") WHERE closed_at is not null;
--> statement-breakpoint
CREATE INDEX "connect_delivery_call_ref_id_index" ON "connect_delivery" USING btree ("call_ref","id") WHERE call_ref is not null;
--> statement-breakpoint
CREATE FUNCTION connect_clear_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('update %1$I set %2$I = null where %2$I in (select id from gone)', tg_argv[0], tg_argv[1]);
  RETURN null;
END
$$;
--> statement-breakpoint
CREATE TRIGGER connect_message_conversation_clear AFTER DELETE ON connect_conversation
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION connect_clear_links('connect_message', 'conversation');
--> statement-breakpoint
CREATE TRIGGER mail_message_author_id_clear AFTER DELETE ON res_partner
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION connect_clear_links('mail_message', 'author_id');
