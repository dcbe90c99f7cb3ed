-- Works with code since: 0015
CREATE TABLE "servers" (
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "claimed_by" text;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "begun" jsonb;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "billing_lease_by" text;--> statement-breakpoint
CREATE INDEX "subscriptions_leased" ON "subscriptions" USING btree ("billing_lease_by") WHERE "subscriptions"."billing_lease_by" is not null;