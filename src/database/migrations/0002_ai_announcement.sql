ALTER TABLE "connect_settings" ADD COLUMN "agents_announce_ai" boolean;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "ai_announcement" text;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent" ADD COLUMN "announces_ai" boolean;