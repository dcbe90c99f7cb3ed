ALTER TABLE "subscriptions" RENAME COLUMN "plan_at_provider_id" TO "stripe_subscription_id";--> statement-breakpoint
ALTER TABLE "subscriptions" RENAME CONSTRAINT "subscriptions_plan_at_provider_id_unique" TO "subscriptions_stripe_subscription_id_unique";--> statement-breakpoint
ALTER TABLE "subscriptions" RENAME COLUMN "customer_id" TO "stripe_customer_id";--> statement-breakpoint
ALTER TABLE "subscriptions" RENAME COLUMN "turn_until" TO "billing_lease_until";--> statement-breakpoint
ALTER TABLE "subscriptions" RENAME COLUMN "asked_by" TO "requested_by";--> statement-breakpoint
ALTER TABLE "invoices" DROP COLUMN "hosted_invoice_url";--> statement-breakpoint
ALTER TABLE "invoices" DROP COLUMN "invoice_pdf";--> statement-breakpoint
ALTER FUNCTION "tell_of_member" RENAME TO "notify_of_member";--> statement-breakpoint
ALTER FUNCTION "tell_of_invite" RENAME TO "notify_of_invite";--> statement-breakpoint
ALTER FUNCTION "tell_of_subscription" RENAME TO "notify_of_subscription";--> statement-breakpoint
ALTER FUNCTION "tell_of_invoice" RENAME TO "notify_of_invoice";--> statement-breakpoint
ALTER FUNCTION "tell_of_session" RENAME TO "notify_of_session";--> statement-breakpoint
ALTER FUNCTION "tell_of_user" RENAME TO "notify_of_user";
