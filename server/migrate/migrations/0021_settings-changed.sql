-- Works with code since: 0018
ALTER TABLE "subscriptions" ADD COLUMN "settings_changed_by" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "settings_changed_at" timestamp with time zone;