ALTER TABLE "connect_settings" ADD COLUMN "calendar_outside_hours" boolean;
--> statement-breakpoint
ALTER TABLE "calendar_event" ADD COLUMN "tz" text;