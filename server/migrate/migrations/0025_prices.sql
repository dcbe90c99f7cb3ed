-- Works with code since: 0018
ALTER TABLE "subscriptions" ADD COLUMN "frequency" text DEFAULT 'week' NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "every" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
update "subscriptions" set "currency" = (select "currency" from "invoices" where "subscription_id" = "subscriptions"."id" limit 1)
where "currency" is null and exists (select from "invoices" where "subscription_id" = "subscriptions"."id");
