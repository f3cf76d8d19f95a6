-- The outcome is another function of the row: its column is made anew, and with it the indexes that name it.
DROP INDEX IF EXISTS "connect_call_outcome_id_index";
--> statement-breakpoint
DROP INDEX IF EXISTS "connect_call_id_index";
--> statement-breakpoint
DROP INDEX IF EXISTS "connect_call_create_date_id_index";
--> statement-breakpoint
ALTER TABLE "connect_call" drop column "outcome";
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "talked_until" timestamp;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "voicemail_at" timestamp;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_end" text;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_error" text;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_result" text;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_failed" boolean;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "caller_name" text;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "stir_verstat" text;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "forwarded_from" text;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "outcome" text GENERATED ALWAYS AS (case
    when legs_outcome is null then case
    when (voiceai_conversation_id is not null and conversation_seconds is not null) and conversation_failed is not true then 'agent'
    when voiceai_conversation_id is not null or starts_with(error_message, 'The call could not be started: ') then 'failed'
    when status in ('queued', 'initiated', 'ringing', 'in-progress') then 'in_progress'
    when voicemail_url is not null then 'voicemail'
    when status = 'completed' then 'person'
    when status = 'canceled' then 'given_up'
    when status = 'failed' then 'failed'
    when direction = 'incoming' and status in ('busy', 'no-answer') then 'missed'
    when status = 'busy' then 'busy'
    when status = 'no-answer' then 'no_answer'
  end
    when legs_outcome = 'in_progress' then legs_outcome
    when voicemail_url is not null and voicemail_at >= talked_until then 'voicemail'
    when legs_outcome = 'agent_person' then legs_outcome
    when legs_outcome = 'person' then case when (voiceai_conversation_id is not null and conversation_seconds is not null) then 'agent_person' else 'person' end
    when voicemail_url is not null then 'voicemail'
    when conversation_failed and legs_outcome in ('agent', 'ours') then 'failed'
    when legs_outcome = 'agent' or (voiceai_conversation_id is not null and conversation_seconds is not null) then 'agent'
    when legs_outcome = 'ours' then case
      when starts_with(error_message, 'The call could not be started: ') then 'failed'
      when voiceai_agent is not null then 'agent'
      when direction = 'incoming' then 'missed'
      else 'no_answer' end
    else legs_outcome
  end) STORED;
--> statement-breakpoint
CREATE INDEX "connect_call_outcome_id_index" ON "connect_call" USING btree ("outcome","id");
--> statement-breakpoint
CREATE INDEX "connect_call_id_index" ON "connect_call" USING btree ("id") WHERE outcome = 'in_progress';
--> statement-breakpoint
CREATE INDEX "connect_call_create_date_id_index" ON "connect_call" USING btree ("create_date","id") WHERE outcome in ('missed', 'given_up', 'voicemail', 'failed') and direction = 'incoming' and callback_done_at is null;
--> statement-breakpoint
ALTER TABLE "connect_channel" ADD COLUMN "caller_name" text;
--> statement-breakpoint
ALTER TABLE "connect_channel" ADD COLUMN "stir_verstat" text;
--> statement-breakpoint
ALTER TABLE "connect_channel" ADD COLUMN "forwarded_from" text;
--> statement-breakpoint
ALTER TABLE "connect_channel" ADD COLUMN "conference_sid" text;
--> statement-breakpoint
ALTER TABLE "connect_channel" ADD COLUMN "is_duration_reported" boolean;
--> statement-breakpoint
ALTER TABLE "connect_channel" ADD COLUMN "unbridged_dials" text;
--> statement-breakpoint
ALTER TABLE "connect_recording" ADD COLUMN "conference_sid" text;
--> statement-breakpoint
ALTER TABLE "connect_recording" ADD COLUMN "is_recorded" boolean GENERATED ALWAYS AS (coalesce(status, '') not in ('absent', 'failed') or media_ref is not null) STORED;
--> statement-breakpoint
CREATE INDEX "connect_channel_conference_sid_index" ON "connect_channel" USING btree ("conference_sid") WHERE "conference_sid" is not null;
--> statement-breakpoint
CREATE INDEX "connect_recording_conference_sid_index" ON "connect_recording" USING btree ("conference_sid") WHERE "conference_sid" is not null;