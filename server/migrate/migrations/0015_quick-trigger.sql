-- PostgreSQL reads a trigger's condition anew for each statement, which took a third of a small change's time. A function's is kept.
CREATE OR REPLACE FUNCTION "notify_of_subscription"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (old.owner_id, old.plan_id, old.status, old.payment, old.settings, old.renews_at, old.weekly_amount, old.currency, old.ends_at,
      old.collection_paused, old.has_card)
    IS DISTINCT FROM (new.owner_id, new.plan_id, new.status, new.payment, new.settings, new.renews_at, new.weekly_amount, new.currency,
      new.ends_at, new.collection_paused, new.has_card) THEN
    INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'subscription', 'subscription', new.id));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER "live_changed" ON "subscriptions";--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "owner_id", "plan_id", "status", "payment", "settings", "renews_at", "weekly_amount", "currency",
  "ends_at", "collection_paused", "has_card" ON "subscriptions" FOR EACH ROW EXECUTE FUNCTION "notify_of_subscription"();
