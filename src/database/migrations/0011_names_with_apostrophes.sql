-- Apostrophes are left out of what people look for, however they are written.
CREATE OR REPLACE FUNCTION connect_fold(t text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $fold$
  SELECT CASE WHEN octet_length(t) = char_length(t) THEN translate(lower(t), '''`', '') ELSE
    lower(replace(replace(replace(replace(replace(replace(replace(replace(
      translate(
        regexp_replace(
          normalize(
            translate(t,
              E'\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff3c\ufe68\u00b4',
              E'-------//'),
            NFKD),
          E'[''\u0060\u00b4\u02b9\u02bb-\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u2018-\u201b\u2032\u2035\ua78b\ua78c\uff07\uff40\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]', '', 'g'),
        E'\u0141\u0142\u0110\u0111\u00d0\u00f0\u00d8\u00f8\u0126\u0127\u0166\u0167\u0131\u03c2', E'LlDdDdOoHhTti\u03c3'),
      E'\u00df', 'ss'), E'\u1e9e', 'ss'), E'\u00e6', 'ae'), E'\u00c6', 'ae'), E'\u0153', 'oe'), E'\u0152', 'oe'), E'\u00fe', 'th'), E'\u00de', 'th'))
  END
$fold$;
--> statement-breakpoint
DROP INDEX "res_partner_words_index";
--> statement-breakpoint
CREATE INDEX "res_partner_words_index" ON "res_partner" USING gin (to_tsvector('simple', translate(connect_fold(coalesce("name", '') || ' ' || coalesce("email", '')) || CASE WHEN translate(coalesce("name", '') || ' ' || coalesce("email", ''), E'''\u0060\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u2018\u2019\u201a\u201b\u2032\u2035\ua78b\ua78c\uff07\uff40', '                        ') = (coalesce("name", '') || ' ' || coalesce("email", '')) THEN '' ELSE ' ' || connect_fold(translate(coalesce("name", '') || ' ' || coalesce("email", ''), E'''\u0060\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u2018\u2019\u201a\u201b\u2032\u2035\ua78b\ua78c\uff07\uff40', '                        ')) END, '@.-_+', '     ')));
--> statement-breakpoint
DROP INDEX "helpdesk_ticket_words_index";
--> statement-breakpoint
CREATE INDEX "helpdesk_ticket_words_index" ON "helpdesk_ticket" USING gin (to_tsvector('simple', translate(connect_fold(coalesce("name", '')) || CASE WHEN translate(coalesce("name", ''), E'''\u0060\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u2018\u2019\u201a\u201b\u2032\u2035\ua78b\ua78c\uff07\uff40', '                        ') = coalesce("name", '') THEN '' ELSE ' ' || connect_fold(translate(coalesce("name", ''), E'''\u0060\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u2018\u2019\u201a\u201b\u2032\u2035\ua78b\ua78c\uff07\uff40', '                        ')) END, '@.-_+', '     ')));