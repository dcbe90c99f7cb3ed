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
WHERE "currency" IS NULL AND EXISTS (SELECT FROM "invoices" WHERE "subscription_id" = "subscriptions"."id");--> statement-breakpoint
-- Open tabs hear of all that they show of a project.
CREATE OR REPLACE FUNCTION "notify_of_subscription"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (old.owner_id, old.plan_id, old.status, old.payment, old.settings, old.renews_at,
      old.weekly_amount, old.frequency, old.every, old.currency, old.ends_at, old.ends_by,
      old.scheduled, old.trial_ends_at, old.discount, old.look_only, old.collection_paused,
      old.has_card, old.next_plan_id, old.requested_by)
    IS DISTINCT FROM (new.owner_id, new.plan_id, new.status, new.payment, new.settings, new.renews_at,
      new.weekly_amount, new.frequency, new.every, new.currency, new.ends_at, new.ends_by,
      new.scheduled, new.trial_ends_at, new.discount, new.look_only, new.collection_paused,
      new.has_card, new.next_plan_id, new.requested_by) THEN
    INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'subscription', 'subscription', new.id));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER "live_changed" ON "subscriptions";--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "owner_id", "plan_id", "status", "payment", "settings", "renews_at", "weekly_amount",
  "frequency", "every", "currency", "ends_at", "ends_by", "scheduled", "trial_ends_at",
  "discount", "look_only", "collection_paused", "has_card", "next_plan_id", "requested_by" ON "subscriptions" FOR EACH ROW
  EXECUTE FUNCTION "notify_of_subscription"();
