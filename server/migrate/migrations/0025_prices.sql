-- Works with code since: 0018
ALTER TABLE "subscriptions" ADD COLUMN "frequency" text DEFAULT 'week' NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "every" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ends_by" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "scheduled" jsonb;--> statement-breakpoint
UPDATE "subscriptions" SET "currency" = (SELECT "currency" FROM "invoices" WHERE "subscription_id" = "subscriptions"."id" LIMIT 1)
WHERE "currency" IS NULL AND EXISTS (SELECT FROM "invoices" WHERE "subscription_id" = "subscriptions"."id");
