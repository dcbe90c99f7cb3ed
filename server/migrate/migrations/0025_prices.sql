-- Works with code since: 0018
CREATE TABLE "used_once" (
	"what" text NOT NULL,
	"by" text NOT NULL,
	"subscription_id" text NOT NULL,
	"settled" boolean DEFAULT false NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	"kept_until" timestamp with time zone,
	CONSTRAINT "used_once_what_by_pk" PRIMARY KEY("what","by")
);
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "frequency" text DEFAULT 'week' NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "every" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ends_by" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "scheduled" jsonb;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "trial_ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "discount" jsonb;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "overdue_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "look_only" jsonb;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "purchase_order" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "invoice_footer" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "held_plan_id" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ahead_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ahead_done" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "used_once_by_subscription" ON "used_once" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "used_once_by_end" ON "used_once" USING btree ("kept_until") WHERE "used_once"."kept_until" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_ahead" ON "subscriptions" USING btree ("ahead_at") WHERE "subscriptions"."ahead_at" is not null;--> statement-breakpoint
UPDATE "subscriptions" SET "currency" = (SELECT "currency" FROM "invoices" WHERE "subscription_id" = "subscriptions"."id" LIMIT 1)
WHERE "currency" IS NULL AND EXISTS (SELECT FROM "invoices" WHERE "subscription_id" = "subscriptions"."id");
