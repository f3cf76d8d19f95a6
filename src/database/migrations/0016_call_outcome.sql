ALTER TABLE "connect_call" ADD COLUMN "started_at" timestamp;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "answered_at" timestamp;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "ended_at" timestamp;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "end_reason" text;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "legs_outcome" text;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "legs_strip" jsonb;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_started_at" timestamp;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_seconds" integer;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "outcome" text GENERATED ALWAYS AS (case
    when legs_outcome is null then case
    when (voiceai_conversation_id is not null and conversation_seconds is not null) then 'agent'
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
    when legs_outcome in ('in_progress', 'agent_person') then legs_outcome
    when legs_outcome = 'person' then case when (voiceai_conversation_id is not null and conversation_seconds is not null) then 'agent_person' else 'person' end
    when voicemail_url is not null then 'voicemail'
    when legs_outcome = 'agent' or (voiceai_conversation_id is not null and conversation_seconds is not null) then 'agent'
    when legs_outcome = 'ours' then case
      when starts_with(error_message, 'The call could not be started: ') then 'failed'
      when voiceai_agent is not null then 'agent'
      when direction = 'incoming' then 'missed'
      else 'no_answer' end
    else legs_outcome
  end) STORED;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "wait_seconds" integer GENERATED ALWAYS AS (case when started_at is not null and coalesce(answered_at, ended_at) is not null
    then greatest(0, round(extract(epoch from coalesce(answered_at, ended_at) - started_at)))::int end) STORED;
--> statement-breakpoint
-- What the ledger's fold says of calls from now on, for those that exist: their outcome and times (call-outcome.ts) ...
WITH leg AS (
  SELECT l.*, coalesce(l.parent_sid, '') <> '' AS is_dialled, l.status IN ('in-progress', 'completed') OR l.answered_at IS NOT NULL AS is_answered,
    l.status NOT IN ('queued', 'initiated', 'ringing', 'in-progress') AS has_ended,
    coalesce(l.technical_direction, '') <> 'inbound' AND (coalesce(l.called, '') ~* '^sips?:[^@]+@sip\.rtc\.' OR coalesce(l."to", '') ~* '^sips?:[^@]+@sip\.rtc\.') AS is_agent
  FROM connect_channel l WHERE l.call IS NOT NULL
), facts AS (
  SELECT call, bool_and(has_ended) AS is_over, bool_or(is_dialled) AS has_dialled, bool_or(status = 'canceled') AS is_canceled,
    bool_or(is_dialled AND status = 'failed' AND (is_agent OR coalesce(error_code, '') <> '')) AS is_broken,
    bool_or(is_dialled AND status = 'failed' AND is_agent) AS is_agent_broken, bool_or(is_dialled AND status <> 'failed') AS has_rung,
    bool_or(is_dialled AND is_answered AND is_agent) AS has_agent, bool_or(is_dialled AND is_answered AND NOT is_agent) AS has_person,
    bool_or(NOT is_dialled AND is_answered AND technical_direction = 'outbound-api') AS has_called_back,
    bool_or(NOT is_dialled AND status = 'completed') AS is_ours,
    min(answered_at) FILTER (WHERE is_dialled AND is_answered) AS dialled_at, min(answered_at) FILTER (WHERE NOT is_dialled AND technical_direction = 'outbound-api') AS root_at,
    array_agg(status) FILTER (WHERE is_dialled) AS dialled_ends, array_agg(status) AS ends,
    min(started_at) AS started_at, max(ended_at) AS ended_at
  FROM leg GROUP BY call
), said AS (
  SELECT f.*, coalesce(dialled_ends, ends) AS last_ends, coalesce(has_agent, false) AS agent, coalesce(has_person, false) OR (NOT has_dialled AND coalesce(has_called_back, false)) AS person FROM facts f
), told AS (
  SELECT s.call, s.started_at, CASE WHEN s.is_over THEN s.ended_at END AS ended_at,
    CASE WHEN NOT s.is_over OR s.agent OR s.person THEN CASE WHEN s.has_dialled THEN s.dialled_at ELSE s.root_at END END AS answered_at,
    CASE WHEN NOT s.is_over THEN 'in_progress' WHEN s.agent AND s.person THEN 'agent_person' WHEN s.agent THEN 'agent' WHEN s.person THEN 'person'
      WHEN s.is_canceled THEN 'given_up' WHEN s.is_broken AND NOT s.has_rung THEN 'failed' WHEN NOT s.has_dialled AND s.is_ours THEN 'ours'
      WHEN c.direction = 'incoming' THEN 'missed' WHEN 'no-answer' = ANY (s.last_ends) THEN 'no_answer' WHEN 'busy' = ANY (s.last_ends) THEN 'busy' ELSE 'failed' END AS outcome,
    CASE WHEN NOT s.is_over THEN NULL WHEN s.agent OR s.person THEN 'ended' WHEN s.is_canceled THEN 'caller_gave_up'
      WHEN s.is_agent_broken AND NOT s.has_rung THEN 'agent_not_reached' WHEN s.is_broken AND NOT s.has_rung THEN 'not_reached' WHEN NOT s.has_dialled AND s.is_ours THEN 'nothing_dialled'
      WHEN 'busy' = ALL (s.last_ends) AND c.direction = 'incoming' THEN 'refused' WHEN c.direction = 'incoming' OR 'no-answer' = ANY (s.last_ends) THEN 'nobody_answered'
      WHEN 'busy' = ANY (s.last_ends) THEN 'refused' ELSE 'not_reached' END AS end_reason
  FROM said s JOIN connect_call c ON c.id = s.call
)
UPDATE connect_call c SET legs_outcome = t.outcome, started_at = t.started_at, answered_at = t.answered_at, ended_at = t.ended_at, end_reason = t.end_reason FROM told t WHERE t.call = c.id;
--> statement-breakpoint
-- ... the line of its parts (call-strip.ts) ...
WITH leg AS (
  SELECT l.*, coalesce(l.parent_sid, '') <> '' AS is_dialled, l.status IN ('in-progress', 'completed') OR l.answered_at IS NOT NULL AS is_answered,
    l.status NOT IN ('queued', 'initiated', 'ringing', 'in-progress') AS has_ended,
    coalesce(l.technical_direction, '') <> 'inbound' AND (coalesce(l.called, '') ~* '^sips?:[^@]+@sip\.rtc\.' OR coalesce(l."to", '') ~* '^sips?:[^@]+@sip\.rtc\.') AS is_agent
  FROM connect_channel l WHERE l.call IS NOT NULL
), call AS (
  SELECT call, min(started_at) AS began, max(ended_at) AS ended, bool_or(is_dialled) AS has_dialled FROM leg GROUP BY call
), timed AS (
  SELECT l.*, c.began, c.has_dialled,
    CASE WHEN l.has_ended THEN coalesce(l.ended_at, CASE WHEN NOT l.is_dialled THEN c.ended END, l.started_at) ELSE 'infinity'::timestamp END AS until,
    CASE WHEN l.is_agent THEN 'null'::jsonb WHEN l.called_pbx_user IS NOT NULL THEN jsonb_build_array('connect.user', l.called_pbx_user) ELSE coalesce(to_jsonb(nullif(l.called_number, '')), 'null'::jsonb) END AS who
  FROM leg l JOIN call c ON c.call = l.call WHERE c.began IS NOT NULL
), answered AS (
  SELECT t.*, CASE WHEN t.is_answered THEN coalesce(t.answered_at, CASE WHEN t.is_dialled THEN t.started_at ELSE t.began END) ELSE t.until END AS since FROM timed t
), span AS (
  SELECT call, began, CASE WHEN is_answered THEN 'menu' ELSE 'ringing' END AS kind, began AS a, until AS b, 'null'::jsonb AS who FROM answered WHERE NOT is_dialled AND technical_direction IS DISTINCT FROM 'outbound-api'
  UNION ALL SELECT call, began, 'ringing', began, since, who FROM answered WHERE NOT is_dialled AND technical_direction = 'outbound-api'
  UNION ALL SELECT call, began, CASE WHEN has_dialled THEN 'menu' ELSE 'person' END, since, until, CASE WHEN has_dialled THEN 'null'::jsonb ELSE who END FROM answered WHERE NOT is_dialled AND technical_direction = 'outbound-api'
  UNION ALL SELECT call, began, 'ringing', started_at, since, who FROM answered WHERE is_dialled AND started_at IS NOT NULL
  UNION ALL SELECT call, began, CASE WHEN is_agent THEN 'agent' ELSE 'person' END, since, until, who FROM answered WHERE is_dialled AND started_at IS NOT NULL
), weighed AS (
  SELECT *, CASE kind WHEN 'menu' THEN 0 WHEN 'ringing' THEN 1 WHEN 'agent' THEN 2 ELSE 3 END AS weight FROM span WHERE b > a
), bound AS (
  SELECT call, at, lead(at) OVER (PARTITION BY call ORDER BY at) AS next FROM (SELECT call, a AS at FROM weighed UNION SELECT call, b FROM weighed) x
), heard AS (
  SELECT DISTINCT ON (x.call, x.at) x.call, x.at AS a, x.next AS b, w.began, w.kind, w.weight, w.who
  FROM bound x JOIN weighed w ON w.call = x.call AND w.a <= x.at AND w.b >= x.next WHERE x.next IS NOT NULL
  ORDER BY x.call, x.at, w.weight DESC, w.a, replace(w.who::text, ', ', ',') COLLATE "C"
), marked AS (
  SELECT *, CASE WHEN lag(b) OVER o = a AND lag(kind) OVER o = kind AND lag(who) OVER o = who THEN 0 ELSE 1 END AS is_new FROM heard WINDOW o AS (PARTITION BY call ORDER BY a)
), numbered AS (
  SELECT *, sum(is_new) OVER (PARTITION BY call ORDER BY a) AS part FROM marked
), whole AS (
  SELECT call, began, kind, weight, who, min(a) AS a, max(b) AS b FROM numbered GROUP BY call, began, part, kind, weight, who
  UNION ALL SELECT call, began, 'broke', 4, who, coalesce(ended_at, started_at, began), coalesce(ended_at, started_at, began) FROM answered
    WHERE is_dialled AND status = 'failed' AND (is_agent OR coalesce(error_code, '') <> '')
), strip AS (
  SELECT call, jsonb_agg(jsonb_build_object('kind', kind, 'from_ms', round(extract(epoch FROM a - began) * 1000)::bigint,
      'to_ms', CASE WHEN isfinite(b) THEN round(extract(epoch FROM b - began) * 1000)::bigint END, 'who', who)
    ORDER BY a, weight, replace(who::text, ', ', ',') COLLATE "C") AS parts FROM whole GROUP BY call
)
UPDATE connect_call c SET legs_strip = coalesce(s.parts, '[]'::jsonb) FROM connect_call k LEFT JOIN strip s ON s.call = k.id WHERE k.id = c.id AND c.legs_outcome IS NOT NULL;
--> statement-breakpoint
-- ... and how long an agent talked.
UPDATE connect_call c SET conversation_seconds = r.duration FROM connect_recording r WHERE r.sid = c.voiceai_conversation_id AND r.source = 'voiceai'
  AND (r.voiceai_transcript IS NOT NULL OR r.voiceai_summary IS NOT NULL);
--> statement-breakpoint
CREATE INDEX "connect_call_outcome_id_index" ON "connect_call" USING btree ("outcome","id");
--> statement-breakpoint
CREATE INDEX "connect_call_create_date_index" ON "connect_call" USING btree ("create_date");
--> statement-breakpoint
CREATE INDEX "connect_call_started_at_index" ON "connect_call" USING btree ("started_at");
--> statement-breakpoint
CREATE INDEX "connect_call_caller_id_index" ON "connect_call" USING btree ("caller","id");
--> statement-breakpoint
CREATE INDEX "connect_call_called_id_index" ON "connect_call" USING btree ("called","id");
--> statement-breakpoint
CREATE INDEX "connect_call_id_index" ON "connect_call" USING btree ("id") WHERE outcome = 'in_progress';