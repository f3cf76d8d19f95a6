ALTER TABLE "mail_message" DROP CONSTRAINT "mail_message_create_uid_fkey";
--> statement-breakpoint
ALTER TABLE "mail_message" DROP CONSTRAINT "mail_message_write_uid_fkey";
--> statement-breakpoint
ALTER TABLE "helpdesk_ticket" DROP CONSTRAINT "helpdesk_ticket_create_uid_fkey";
--> statement-breakpoint
ALTER TABLE "helpdesk_ticket" DROP CONSTRAINT "helpdesk_ticket_write_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_call" DROP CONSTRAINT "connect_call_create_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_call" DROP CONSTRAINT "connect_call_write_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_channel" DROP CONSTRAINT "connect_channel_create_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_channel" DROP CONSTRAINT "connect_channel_write_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_recording" DROP CONSTRAINT "connect_recording_create_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_recording" DROP CONSTRAINT "connect_recording_write_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_voicemail" DROP CONSTRAINT "connect_voicemail_create_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_voicemail" DROP CONSTRAINT "connect_voicemail_write_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_conversation" DROP CONSTRAINT "connect_conversation_create_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_conversation" DROP CONSTRAINT "connect_conversation_write_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_message" DROP CONSTRAINT "connect_message_create_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_message" DROP CONSTRAINT "connect_message_write_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_delivery" DROP CONSTRAINT "connect_delivery_create_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_delivery" DROP CONSTRAINT "connect_delivery_write_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_inbox" DROP CONSTRAINT "connect_inbox_create_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_inbox" DROP CONSTRAINT "connect_inbox_write_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_tool_answer" DROP CONSTRAINT "connect_tool_answer_create_uid_fkey";
--> statement-breakpoint
ALTER TABLE "connect_tool_answer" DROP CONSTRAINT "connect_tool_answer_write_uid_fkey";
--> statement-breakpoint
CREATE FUNCTION connect_forget_writer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE written text;
BEGIN
  FOREACH written IN ARRAY tg_argv LOOP
    EXECUTE format('update %I set create_uid = nullif(create_uid, $1), write_uid = nullif(write_uid, $1)
      where create_uid = $1 or write_uid = $1', written) USING old.id;
  END LOOP;
  RETURN null;
END
$$;
--> statement-breakpoint
CREATE TRIGGER res_users_forget_writer AFTER DELETE ON res_users FOR EACH ROW EXECUTE FUNCTION connect_forget_writer('mail_message',
  'helpdesk_ticket',
  'connect_call',
  'connect_channel',
  'connect_recording',
  'connect_voicemail',
  'connect_conversation',
  'connect_message',
  'connect_delivery',
  'connect_inbox',
  'connect_tool_answer');