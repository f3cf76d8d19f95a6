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
