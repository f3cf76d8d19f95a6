CREATE INDEX "res_partner_name_index" ON "res_partner" USING btree ("name");
--> statement-breakpoint
UPDATE "res_partner" SET "active" = false WHERE "id" IN (SELECT "partner_id" FROM "res_users" WHERE "external_id" = 'base.user_admin');
