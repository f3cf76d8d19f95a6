DROP INDEX "connect_conversation_last_open_index";--> statement-breakpoint
-- What somebody wrote down and nobody asked to be sent is in no conversation, and so its writer's only.
UPDATE "connect_message" SET "conversation" = NULL
  WHERE "status" = 'draft' AND coalesce("attempt", 0) = 0 AND "direction" = 'outgoing' AND "conversation" IS NOT NULL;
