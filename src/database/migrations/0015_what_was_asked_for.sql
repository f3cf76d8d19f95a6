ALTER TABLE "connect_voiceai_agent" ADD COLUMN "create_asked_name" text;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent_tool" ADD COLUMN "create_asked" jsonb;