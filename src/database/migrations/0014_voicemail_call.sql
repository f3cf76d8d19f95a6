ALTER TABLE "connect_voicemail" ADD COLUMN "call" bigint;
--> statement-breakpoint
UPDATE "connect_voicemail" v SET "call" = l."call" FROM "connect_channel" l WHERE l."sid" = v."call_sid";
--> statement-breakpoint
ALTER TABLE "connect_voicemail" ADD CONSTRAINT "connect_voicemail_call_fkey" FOREIGN KEY ("call") REFERENCES "public"."connect_call"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "connect_voicemail_call_index" ON "connect_voicemail" USING btree ("call");