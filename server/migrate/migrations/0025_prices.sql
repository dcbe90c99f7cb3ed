-- Works with code since: 0018
ALTER TABLE "subscriptions" ADD COLUMN "frequency" text DEFAULT 'week' NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "every" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ends_by" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "scheduled" jsonb;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "purchase_order" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "invoice_footer" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "held_plan_id" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ahead_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ahead_done" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "subscriptions_ahead" ON "subscriptions" USING btree ("ahead_at") WHERE "subscriptions"."ahead_at" is not null;--> statement-breakpoint
UPDATE "subscriptions" SET "currency" = (SELECT "currency" FROM "invoices" WHERE "subscription_id" = "subscriptions"."id" LIMIT 1)
WHERE "currency" IS NULL AND EXISTS (SELECT FROM "invoices" WHERE "subscription_id" = "subscriptions"."id");
