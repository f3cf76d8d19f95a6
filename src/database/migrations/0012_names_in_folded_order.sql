CREATE INDEX "res_partner_name_folded_index" ON "res_partner" USING btree (connect_fold("name"));
--> statement-breakpoint
CREATE INDEX "res_users_name_index" ON "res_users" USING btree ("name");
--> statement-breakpoint
CREATE INDEX "res_users_name_folded_index" ON "res_users" USING btree (connect_fold("name"));