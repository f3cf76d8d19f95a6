ALTER TABLE "connect_inbox" ADD COLUMN "key" text;
--> statement-breakpoint
CREATE UNIQUE INDEX "connect_inbox_key_key" ON "connect_inbox" USING btree ("key");