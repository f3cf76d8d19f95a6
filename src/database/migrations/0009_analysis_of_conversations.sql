ALTER TABLE "connect_call" ADD COLUMN "nobody_spoke" boolean;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_criteria" jsonb;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_data" jsonb;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_cost" integer;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_cost_usd" double precision;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_charging" jsonb;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_language" text;
--> statement-breakpoint
ALTER TABLE "connect_call" ADD COLUMN "conversation_tags" jsonb;