-- A draft that nobody asked to be sent has left its conversation (0049). This mends what the draft had left there: its place as the
-- newest message, and what its writer could read for it. Nobody adds a message meanwhile.
LOCK TABLE "connect_conversation", "connect_conversation_reader" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
-- One without any message is in no list. Where they opted out of our texts it stays, or we would text them again.
WITH gone AS (
  DELETE FROM "connect_conversation" c
    WHERE c."opted_out_at" IS NULL AND NOT EXISTS (SELECT 1 FROM "connect_message" m WHERE m."conversation" = c."id")
    RETURNING c."id")
DELETE FROM "connect_notice" n USING gone WHERE n."res_model" = 'connect.conversation' AND n."res_id" = gone."id";--> statement-breakpoint
UPDATE "connect_conversation" c
  SET "last_message" = (SELECT max(m."id") FROM "connect_message" m WHERE m."conversation" = c."id")
  WHERE c."last_message" IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM "connect_message" m WHERE m."id" = c."last_message" AND m."conversation" = c."id");--> statement-breakpoint
-- Where somebody has written to us it stays everybody's, even if their message is deleted.
UPDATE "connect_conversation" c
  SET "last_open" = greatest(c."last_incoming",
    (SELECT max(m."id") FROM "connect_message" m WHERE m."conversation" = c."id" AND m."sender_user" IS NULL))
  WHERE c."last_open" IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM "connect_message" m WHERE m."id" = c."last_open" AND m."conversation" = c."id");--> statement-breakpoint
-- In one in which only we wrote nothing is unread, so no mark of reading is lost. It stays with whom it is, or was, assigned to.
DELETE FROM "connect_conversation_reader" r USING "connect_conversation" c
  WHERE c."id" = r."conversation" AND c."last_open" IS NULL AND r."own_last" IS NOT NULL
    AND c."assigned" IS DISTINCT FROM r."user"
    AND NOT EXISTS (SELECT 1 FROM "connect_message" m WHERE m."conversation" = r."conversation" AND m."sender_user" = r."user")
    AND NOT EXISTS (SELECT 1 FROM "connect_notice" n WHERE n."user" = r."user" AND n."kind" = 'assigned'
      AND n."res_model" = 'connect.conversation' AND n."res_id" = r."conversation");--> statement-breakpoint
UPDATE "connect_conversation_reader" r
  SET "own_last" = (SELECT max(m."id") FROM "connect_message" m WHERE m."conversation" = r."conversation" AND m."sender_user" = r."user")
  WHERE r."own_last" IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM "connect_message" m WHERE m."id" = r."own_last" AND m."conversation" = r."conversation");
