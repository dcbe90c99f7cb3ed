-- Works with code since: 0018
ALTER TABLE "subscriptions" ADD COLUMN "second_factor_from" timestamp with time zone;--> statement-breakpoint
-- Open tabs hear of it, those too whose session is shut out by it.
CREATE FUNCTION "notify_of_demand"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'subscription', 'subscription', new.id, 'toShut', true));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "live_demand" AFTER UPDATE OF "second_factor_from" ON "subscriptions" FOR EACH ROW
  WHEN (old.second_factor_from IS DISTINCT FROM new.second_factor_from) EXECUTE FUNCTION "notify_of_demand"();
