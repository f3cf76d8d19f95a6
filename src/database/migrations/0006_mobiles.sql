ALTER TABLE "connect_settings" ADD COLUMN "mobile_countries" text;
--> statement-breakpoint
ALTER TABLE "connect_user" ADD COLUMN "mobile_enabled" boolean;
--> statement-breakpoint
ALTER TABLE "connect_user" ADD COLUMN "mobile_number" text;
--> statement-breakpoint
ALTER TABLE "connect_user" ADD COLUMN "mobile_priority" text;
--> statement-breakpoint
ALTER TABLE "connect_user" ADD COLUMN "mobile_ring_timeout" integer;
--> statement-breakpoint
CREATE INDEX "connect_user_mobile_number_index" ON "connect_user" USING btree ("mobile_number");
--> statement-breakpoint
UPDATE "connect_user" SET "mobile_priority" = '3', "mobile_ring_timeout" = 20;
