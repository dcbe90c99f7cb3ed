-- Works with code since: 0018
-- A table with a column "subscription_id" is live after this: SELECT make_live('boats', 'boats'). `what` is a name of contract/live.ts.
CREATE FUNCTION "make_live"("made" regclass, "what" text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT subscription_id FROM %s LIMIT 0', made);
  EXECUTE format('CREATE TRIGGER live_came AFTER INSERT OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION notify_of_row(%L)', made, what);
  EXECUTE format('CREATE TRIGGER live_changed AFTER UPDATE ON %s FOR EACH ROW
    WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION notify_of_row(%L)', made, what);
END $$;--> statement-breakpoint
-- A row that moves changes two projects.
CREATE FUNCTION "notify_of_row"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload)
    SELECT 'notice', json_build_object('what', tg_argv[0], 'subscription', id)
    FROM (SELECT old.subscription_id UNION SELECT new.subscription_id) told(id) WHERE id IS NOT NULL;
  RETURN NULL;
END $$;
