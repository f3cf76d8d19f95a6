ALTER TABLE "connect_settings" ADD COLUMN "was_set_up" boolean;
--> statement-breakpoint
UPDATE "connect_settings" SET "was_set_up" = EXISTS (SELECT 1 FROM "res_users" WHERE "password_hash" IS NOT NULL);
