ALTER TABLE "mail_message" ADD COLUMN "changes" jsonb;
--> statement-breakpoint
ALTER TABLE "mail_message" ADD COLUMN "edited_at" timestamp;
--> statement-breakpoint
-- Words of names, so that a search needs no look at every row; src/app/search asks with the same expressions.
CREATE INDEX "res_partner_words_index" ON "res_partner" USING gin (to_tsvector('simple', translate(coalesce("name", '') || ' ' || coalesce("email", ''), '@.-_+''', '      ')));
--> statement-breakpoint
CREATE INDEX "helpdesk_ticket_words_index" ON "helpdesk_ticket" USING gin (to_tsvector('simple', translate(coalesce("name", ''), '@.-_+''', '      ')));
