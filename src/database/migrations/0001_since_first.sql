-- What changed since the first release, by title.
-- # Writer of posts
ALTER TABLE "mail_message" ADD COLUMN "author_name" text;
--> statement-breakpoint
-- # Truth of calls
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
--> statement-breakpoint
-- # Folded texts and answered addresses
ALTER TABLE "connect_message" ADD COLUMN "wire_address" text;
--> statement-breakpoint
ALTER TABLE "connect_message" ADD COLUMN "external_user_id" text;
--> statement-breakpoint
CREATE INDEX "connect_message_external_user_id_index" ON "connect_message" USING btree ("external_user_id") WHERE "external_user_id" is not null;
--> statement-breakpoint
CREATE FUNCTION connect_fold(t text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $fold$
  SELECT CASE WHEN octet_length(t) = char_length(t) THEN lower(t) ELSE
    lower(replace(replace(replace(replace(replace(replace(replace(replace(
      translate(
        regexp_replace(
          normalize(
            translate(t,
              E'\u2018\u2019\u201a\u201b\u00b4\u0060\u02bc\u02b9\u2032\uff07\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff3c\ufe68',
              E'''''''''''''''''''''-------//'),
            NFKD),
          E'[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]', '', 'g'),
        E'\u0141\u0142\u0110\u0111\u00d0\u00f0\u00d8\u00f8\u0126\u0127\u0166\u0167\u0131', 'LlDdDdOoHhTti'),
      E'\u00df', 'ss'), E'\u1e9e', 'ss'), E'\u00e6', 'ae'), E'\u00c6', 'ae'), E'\u0153', 'oe'), E'\u0152', 'oe'), E'\u00fe', 'th'), E'\u00de', 'th'))
  END
$fold$;
--> statement-breakpoint
DROP INDEX "res_partner_words_index";
--> statement-breakpoint
CREATE INDEX "res_partner_words_index" ON "res_partner" USING gin (to_tsvector('simple', translate(connect_fold(coalesce("name", '') || ' ' || coalesce("email", '')), '@.-_+''', '      ')));
--> statement-breakpoint
DROP INDEX "helpdesk_ticket_words_index";
--> statement-breakpoint
CREATE INDEX "helpdesk_ticket_words_index" ON "helpdesk_ticket" USING gin (to_tsvector('simple', translate(connect_fold(coalesce("name", '')), '@.-_+''', '      ')));
--> statement-breakpoint
-- # Post call misfit
ALTER TABLE "connect_settings" ADD COLUMN "voiceai_post_call_misfit" bigint;
--> statement-breakpoint
-- # Reader of numbers
ALTER TABLE "connect_renumbering" ADD COLUMN "reader" integer;
--> statement-breakpoint
-- # Opted out
ALTER TABLE "connect_conversation" ADD COLUMN "opted_out_at" timestamp;
--> statement-breakpoint
-- # Ways in and known networks
CREATE TABLE "res_users_network" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "res_users_network_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"network" text NOT NULL,
	"last_at" timestamp NOT NULL,
	"create_date" timestamp DEFAULT (now() at time zone 'utc') NOT NULL,
	"write_date" timestamp DEFAULT (now() at time zone 'utc') NOT NULL,
	"create_uid" bigint,
	"write_uid" bigint
);

--> statement-breakpoint
ALTER TABLE "res_users" ADD COLUMN "sign_in_age" integer;
--> statement-breakpoint
ALTER TABLE "res_users_network" ADD CONSTRAINT "res_users_network_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."res_users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "res_users_network" ADD CONSTRAINT "res_users_network_create_uid_fkey" FOREIGN KEY ("create_uid") REFERENCES "public"."res_users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "res_users_network" ADD CONSTRAINT "res_users_network_write_uid_fkey" FOREIGN KEY ("write_uid") REFERENCES "public"."res_users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "res_users_network_user_id_index" ON "res_users_network" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "res_users_network_last_at_index" ON "res_users_network" USING btree ("last_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "res_users_network_user_id_network_key" ON "res_users_network" USING btree ("user_id","network");
--> statement-breakpoint
-- # One folding of texts
ALTER TABLE "connect_recording" drop column "is_recorded";
--> statement-breakpoint
ALTER TABLE "connect_recording" ADD COLUMN "is_recorded" boolean GENERATED ALWAYS AS (coalesce(status, '') not in ('absent', 'failed', 'in-progress') or media_ref is not null) STORED;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION connect_fold(t text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $fold$
  SELECT CASE WHEN octet_length(t) = char_length(t) THEN translate(lower(t), '`', '''') ELSE
    lower(replace(replace(replace(replace(replace(replace(replace(replace(
      translate(
        regexp_replace(
          normalize(
            translate(t,
              E'\u2018\u2019\u201a\u201b\u00b4\u0060\u02bc\u02b9\u2032\uff07\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff3c\ufe68',
              E'''''''''''''''''''''-------//'),
            NFKD),
          E'[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]', '', 'g'),
        E'\u0141\u0142\u0110\u0111\u00d0\u00f0\u00d8\u00f8\u0126\u0127\u0166\u0167\u0131\u03c2', E'LlDdDdOoHhTti\u03c3'),
      E'\u00df', 'ss'), E'\u1e9e', 'ss'), E'\u00e6', 'ae'), E'\u00c6', 'ae'), E'\u0153', 'oe'), E'\u0152', 'oe'), E'\u00fe', 'th'), E'\u00de', 'th'))
  END
$fold$;
--> statement-breakpoint
REINDEX INDEX "res_partner_words_index";
--> statement-breakpoint
REINDEX INDEX "helpdesk_ticket_words_index";
--> statement-breakpoint
-- # Media of old posts
-- Posts that name the provider's address of what came with their message name ours instead.
DO $$
BEGIN
  FOR n IN 0..9 LOOP
    UPDATE mail_message p
      SET body = replace(p.body, m.address, '/connect/message/' || m.id || '/media/' || n)
      FROM (
        SELECT id, replace(coalesce(media -> n ->> 'url', CASE WHEN media IS NULL AND n = 0 THEN media_url END), '&', '&amp;') AS address
        FROM connect_message WHERE direction = 'incoming'
      ) m
      WHERE p.connect_message = m.id AND m.address <> '' AND position(m.address IN p.body) > 0;
  END LOOP;
END
$$;
--> statement-breakpoint
-- # Calls of agents
ALTER TABLE "connect_call" ADD COLUMN "only_agent" boolean GENERATED ALWAYS AS ((voiceai_agent is not null or voiceai_conversation_id is not null)
    and caller_user is null and answered_user is null
    and coalesce(legs_outcome, 'agent') not in ('person', 'agent_person')
    and (coalesce(legs_outcome, 'agent') in ('agent', 'ours', 'in_progress') or conversation_seconds is not null)) STORED;
--> statement-breakpoint
CREATE INDEX "connect_call_only_agent_id_index" ON "connect_call" USING btree ("only_agent","id") WHERE coalesce(only_agent, false);
--> statement-breakpoint
-- # Outgoing limits
CREATE TABLE "connect_outgoing_count" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "connect_outgoing_count_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"user" bigint NOT NULL,
	"count" integer NOT NULL,
	"create_date" timestamp DEFAULT (now() at time zone 'utc') NOT NULL,
	"write_date" timestamp DEFAULT (now() at time zone 'utc') NOT NULL,
	"create_uid" bigint,
	"write_uid" bigint
);

--> statement-breakpoint
ALTER TABLE "connect_settings" ADD COLUMN "barred_prefixes" text;
--> statement-breakpoint
ALTER TABLE "connect_settings" ADD COLUMN "calls_a_day" integer;
--> statement-breakpoint
ALTER TABLE "connect_settings" ADD COLUMN "calls_a_day_of_user" integer;
--> statement-breakpoint
ALTER TABLE "connect_settings" ADD COLUMN "messages_a_day" integer;
--> statement-breakpoint
ALTER TABLE "connect_settings" ADD COLUMN "messages_a_day_of_user" integer;
--> statement-breakpoint
ALTER TABLE "connect_outgoing_count" ADD CONSTRAINT "connect_outgoing_count_create_uid_fkey" FOREIGN KEY ("create_uid") REFERENCES "public"."res_users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "connect_outgoing_count" ADD CONSTRAINT "connect_outgoing_count_write_uid_fkey" FOREIGN KEY ("write_uid") REFERENCES "public"."res_users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "connect_outgoing_count_day_index" ON "connect_outgoing_count" USING btree ("day");
--> statement-breakpoint
CREATE UNIQUE INDEX "connect_outgoing_count_day_kind_user_key" ON "connect_outgoing_count" USING btree ("day","kind","user");
--> statement-breakpoint
UPDATE "connect_settings" SET "barred_prefixes" = '+870 +878 +881 +882 +883 +979 +1900 +41900 +41901 +41906 +49900 +491377 +491378 +491379 +43900 +43901 +43930 +43931 +449', "calls_a_day" = 2000, "calls_a_day_of_user" = 300, "messages_a_day" = 5000, "messages_a_day_of_user" = 1000;
--> statement-breakpoint
-- # Conversations read whole
DROP INDEX "connect_conversation_last_open_index";--> statement-breakpoint
-- What somebody wrote down and nobody asked to be sent is in no conversation, and so its writer's only.
UPDATE "connect_message" SET "conversation" = NULL
  WHERE "status" = 'draft' AND coalesce("attempt", 0) = 0 AND "direction" = 'outgoing' AND "conversation" IS NOT NULL;
--> statement-breakpoint
-- # Media of templates
ALTER TABLE "connect_message_content_template" ADD COLUMN "media" jsonb;
--> statement-breakpoint
-- # Conversations without drafts
-- A draft that nobody asked to be sent has left its conversation (above). This mends what the draft had left there: its place as the
-- newest message, and what its writer could read for it. Nobody adds a message meanwhile.
LOCK TABLE "connect_conversation", "connect_conversation_reader" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
-- One without any message is in no list. Where they opted out of our texts it stays, or we would text them again.
WITH gone AS (
  DELETE FROM "connect_conversation" c
    WHERE c."opted_out_at" IS NULL AND NOT EXISTS (SELECT 1 FROM "connect_message" m WHERE m."conversation" = c."id")
    RETURNING c."id")
DELETE FROM "connect_notice" n USING gone WHERE n."res_model" = 'connect.conversation' AND n."res_id" = gone."id";--> statement-breakpoint
UPDATE "connect_conversation" c
  SET "last_message" = (SELECT max(m."id") FROM "connect_message" m WHERE m."conversation" = c."id")
  WHERE c."last_message" IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM "connect_message" m WHERE m."id" = c."last_message" AND m."conversation" = c."id");--> statement-breakpoint
-- Where somebody has written to us it stays everybody's, even if their message is deleted.
UPDATE "connect_conversation" c
  SET "last_open" = greatest(c."last_incoming",
    (SELECT max(m."id") FROM "connect_message" m WHERE m."conversation" = c."id" AND m."sender_user" IS NULL))
  WHERE c."last_open" IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM "connect_message" m WHERE m."id" = c."last_open" AND m."conversation" = c."id");--> statement-breakpoint
-- In one in which only we wrote nothing is unread, so no mark of reading is lost. It stays with whom it is, or was, assigned to.
DELETE FROM "connect_conversation_reader" r USING "connect_conversation" c
  WHERE c."id" = r."conversation" AND c."last_open" IS NULL AND r."own_last" IS NOT NULL
    AND c."assigned" IS DISTINCT FROM r."user"
    AND NOT EXISTS (SELECT 1 FROM "connect_message" m WHERE m."conversation" = r."conversation" AND m."sender_user" = r."user")
    AND NOT EXISTS (SELECT 1 FROM "connect_notice" n WHERE n."user" = r."user" AND n."kind" = 'assigned'
      AND n."res_model" = 'connect.conversation' AND n."res_id" = r."conversation");--> statement-breakpoint
UPDATE "connect_conversation_reader" r
  SET "own_last" = (SELECT max(m."id") FROM "connect_message" m WHERE m."conversation" = r."conversation" AND m."sender_user" = r."user")
  WHERE r."own_last" IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM "connect_message" m WHERE m."id" = r."own_last" AND m."conversation" = r."conversation");
--> statement-breakpoint
-- # Compare shows the reply
drop function if exists connect_note_write() cascade;
--> statement-breakpoint
-- # Choice order
ALTER TABLE "connect_telco_callflow_choice" ADD COLUMN "sequence" integer;
--> statement-breakpoint
-- # Ledger in one table
drop function if exists connect_recent_id();
--> statement-breakpoint
-- # Dial plan version
-- Which dial plan is in force: counted up once by each transaction that changes what decides where calls go, when it commits. Each
-- process compares it with that of the plan in its memory.
CREATE TABLE "connect_dial_plan" ("version" bigint NOT NULL);--> statement-breakpoint
INSERT INTO "connect_dial_plan" ("version") VALUES (1);--> statement-breakpoint
CREATE FUNCTION connect_dial_plan_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF current_setting('connect.dial_plan', true) IS DISTINCT FROM 'changed' THEN
    PERFORM set_config('connect.dial_plan', 'changed', true);
    UPDATE connect_dial_plan SET version = version + 1;
    PERFORM pg_notify('connect_dial_plan', '');
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
-- Deferred: the row is locked when nothing else is left to wait for, and so for a moment only.
DO $$ DECLARE each text; BEGIN
  FOREACH each IN ARRAY ARRAY['connect_telco_number', 'connect_telco_business_hours', 'connect_telco_opening',
    'connect_telco_holiday', 'connect_telco_exten', 'connect_telco_domain', 'connect_telco_callflow', 'connect_telco_callflow_choice',
    'connect_telco_callflow_ring_users_rel', 'connect_telco_markup', 'connect_telco_outgoing_callerid', 'connect_user',
    'connect_telco_user_callflow', 'connect_voiceai_agent', 'connect_voiceai_file']
  LOOP
    EXECUTE format('CREATE CONSTRAINT TRIGGER connect_dial_plan_changed AFTER INSERT OR UPDATE OR DELETE ON %I
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION connect_dial_plan_changed()', each);
  END LOOP;
END $$;
