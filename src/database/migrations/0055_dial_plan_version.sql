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
