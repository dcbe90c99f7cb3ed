CREATE TABLE "cards" (
	"id" text PRIMARY KEY NOT NULL,
	"subscription_id" text NOT NULL,
	"added_by" text,
	"brand" text NOT NULL,
	"last4" text NOT NULL,
	"exp_month" integer NOT NULL,
	"exp_year" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "amount_paid" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "amount_refunded" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "dispute" text;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "token" text DEFAULT replace(gen_random_uuid()::text, '-', '') NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "weekly_amount" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "currency" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "collection_paused" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "has_card" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cards_by_subscription" ON "cards" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "cards_by_adder" ON "cards" USING btree ("added_by");--> statement-breakpoint
CREATE INDEX "subscriptions_ending" ON "subscriptions" USING btree ("id") WHERE "subscriptions"."status" = 'active' and "subscriptions"."asked_by" is not null;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_token_unique" UNIQUE("token");--> statement-breakpoint
UPDATE "invoices" SET "amount_paid" = "total" WHERE "status" = 'paid' AND "total" > 0;--> statement-breakpoint
DROP TRIGGER "live_changed" ON "subscriptions";--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "owner_id", "plan_id", "status", "payment", "settings", "renews_at", "weekly_amount", "currency",
  "ends_at", "collection_paused", "has_card" ON "subscriptions" FOR EACH ROW
  WHEN ((old.owner_id, old.plan_id, old.status, old.payment, old.settings, old.renews_at, old.weekly_amount, old.currency, old.ends_at,
      old.collection_paused, old.has_card)
    IS DISTINCT FROM (new.owner_id, new.plan_id, new.status, new.payment, new.settings, new.renews_at, new.weekly_amount, new.currency,
      new.ends_at, new.collection_paused, new.has_card))
  EXECUTE FUNCTION "tell_of_subscription"();
