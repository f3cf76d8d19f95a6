ALTER TABLE "connect_settings" ADD COLUMN "number_reader" integer;
--> statement-breakpoint
UPDATE "connect_settings" SET "number_reader" = (SELECT max("reader") FROM "connect_renumbering" WHERE "state" <> 'failed');
--> statement-breakpoint
DROP TABLE "connect_renumbering";
