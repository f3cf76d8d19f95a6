DROP INDEX "res_partner_name_index";
--> statement-breakpoint
CREATE INDEX "res_partner_name_folded_index" ON "res_partner" USING btree (connect_fold("name"));