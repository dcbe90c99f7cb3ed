-- Works with code since: 0018
-- Open tabs hear of a change of plan or a cancellation that begins, or that nothing came of.
CREATE OR REPLACE FUNCTION "notify_of_subscription"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (old.owner_id, old.plan_id, old.status, old.payment, old.settings, old.renews_at, old.weekly_amount, old.currency, old.ends_at,
      old.collection_paused, old.has_card, old.next_plan_id, old.requested_by)
    IS DISTINCT FROM (new.owner_id, new.plan_id, new.status, new.payment, new.settings, new.renews_at, new.weekly_amount, new.currency,
      new.ends_at, new.collection_paused, new.has_card, new.next_plan_id, new.requested_by) THEN
    INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'subscription', 'subscription', new.id));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER "live_changed" ON "subscriptions";--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "owner_id", "plan_id", "status", "payment", "settings", "renews_at", "weekly_amount", "currency",
  "ends_at", "collection_paused", "has_card", "next_plan_id", "requested_by" ON "subscriptions" FOR EACH ROW
  EXECUTE FUNCTION "notify_of_subscription"();
