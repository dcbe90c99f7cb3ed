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
ALTER FUNCTION "tell_of_user" RENAME TO "notify_of_user";--> statement-breakpoint
CREATE OR REPLACE FUNCTION "notify_of_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', json_build_object('what', 'members',
    'subscription', coalesce(new.subscription_id, old.subscription_id), 'user', coalesce(new.user_id, old.user_id))::text);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "notify_of_invite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', json_build_object('what', 'invites', 'subscription', new.subscription_id,
    'user', (SELECT id FROM users WHERE email = new.email AND email_verified))::text);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "notify_of_subscription"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', json_build_object('what', 'subscription', 'subscription', new.id)::text);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "notify_of_invoice"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', json_build_object('what', 'invoices', 'subscription', new.subscription_id)::text);
  RETURN NULL;
END $$;--> statement-breakpoint
UPDATE "installation" SET "name" = 'reconciled until' WHERE "name" = 'compared until';--> statement-breakpoint
-- Jobs that wait during the upgrade keep waiting under their new names.
DO $$
DECLARE
  renamed text[];
BEGIN
  IF to_regclass('graphile_worker._private_tasks') IS NULL THEN RETURN; END IF;
  FOREACH renamed SLICE 1 IN ARRAY ARRAY[
    ['tidyUp', 'removeExpired'],
    ['workOnEvent', 'processEvent'],
    ['followOwner', 'updateContact'],
    ['settlePurchase', 'recoverPurchase'],
    ['reconcile', 'recoverPurchases'],
    ['compareWithProvider', 'reconcile'],
    ['comparePage', 'reconcilePage'],
    ['finishHandOver', 'finishTransfer'],
    ['tellOfTransfer', 'mailTransfer']
  ] LOOP
    UPDATE graphile_worker._private_tasks SET identifier = renamed[2] WHERE identifier = renamed[1];
    UPDATE graphile_worker._private_known_crontabs SET identifier = renamed[2] WHERE identifier = renamed[1];
    UPDATE graphile_worker._private_job_queues SET queue_name = renamed[2] WHERE queue_name = renamed[1];
    UPDATE graphile_worker._private_jobs SET key = renamed[2] WHERE key = renamed[1];
  END LOOP;
  UPDATE graphile_worker._private_job_queues SET queue_name = 'reconcile page' WHERE queue_name = 'comparison';
  UPDATE graphile_worker._private_jobs SET
    key = 'reconcile page',
    payload = replace(replace(replace(replace(payload::text,
      '"atOnce"', '"pageSize"'), '"foreign"', '"unknown"'),
      '"livePlans"', '"liveProviderSubscriptions"'), '"paidProjects"', '"paidSubscriptions"')::json
    WHERE key = 'comparison';
  UPDATE graphile_worker._private_jobs SET key = 'recover after the start' WHERE key = 'reconcile after the start';
  UPDATE graphile_worker._private_jobs SET key = regexp_replace(key, '^settle ', 'recover ') WHERE key LIKE 'settle %';
  UPDATE graphile_worker._private_jobs SET key = regexp_replace(key, '^hand over ', 'transfer ') WHERE key LIKE 'hand over %';
END $$;
