ALTER TABLE "connect_voiceai_agent" ADD COLUMN "pushed" jsonb;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent_tool" ADD COLUMN "pushed_variables" jsonb;