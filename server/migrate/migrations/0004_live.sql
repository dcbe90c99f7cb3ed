-- Who is told of a change: in its own transaction, so that nothing is told that was rolled back, and no code has to think of it.
-- The payloads go from here to the servers only; server/live/fact.ts reads them.
CREATE FUNCTION "tell_of_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', json_build_object('what', 'members', 'project', coalesce(new.subscription_id, old.subscription_id),
    'user', coalesce(new.user_id, old.user_id), 'permissions', new.permissions)::text);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "tell_of_invite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', json_build_object('what', 'invites', 'project', new.subscription_id, 'email', new.email)::text);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "tell_of_subscription"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', json_build_object('what', 'subscription', 'project', new.id)::text);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "tell_of_invoice"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', json_build_object('what', 'invoices', 'project', new.subscription_id)::text);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "tell_of_session"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', json_build_object('what', 'session', 'session', old.id)::text);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "tell_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', json_build_object('what', 'user', 'user', new.id)::text);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "live_came" AFTER INSERT OR DELETE ON "members" FOR EACH ROW EXECUTE FUNCTION "tell_of_member"();--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "permissions" ON "members" FOR EACH ROW
  WHEN (old.permissions IS DISTINCT FROM new.permissions) EXECUTE FUNCTION "tell_of_member"();--> statement-breakpoint
CREATE TRIGGER "live_came" AFTER INSERT ON "invites" FOR EACH ROW EXECUTE FUNCTION "tell_of_invite"();--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "status", "expires_at" ON "invites" FOR EACH ROW
  WHEN ((old.status, old.expires_at) IS DISTINCT FROM (new.status, new.expires_at)) EXECUTE FUNCTION "tell_of_invite"();--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "owner_id", "plan_id", "status", "payment", "settings", "renews_at" ON "subscriptions" FOR EACH ROW
  WHEN ((old.owner_id, old.plan_id, old.status, old.payment, old.settings, old.renews_at)
    IS DISTINCT FROM (new.owner_id, new.plan_id, new.status, new.payment, new.settings, new.renews_at))
  EXECUTE FUNCTION "tell_of_subscription"();--> statement-breakpoint
CREATE TRIGGER "live_came" AFTER INSERT ON "invoices" FOR EACH ROW EXECUTE FUNCTION "tell_of_invoice"();--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE ON "invoices" FOR EACH ROW
  WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION "tell_of_invoice"();--> statement-breakpoint
CREATE TRIGGER "live_ended" AFTER DELETE ON "sessions" FOR EACH ROW EXECUTE FUNCTION "tell_of_session"();--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "display_name", "email", "email_verified" ON "users" FOR EACH ROW
  WHEN ((old.display_name, old.email, old.email_verified) IS DISTINCT FROM (new.display_name, new.email, new.email_verified))
  EXECUTE FUNCTION "tell_of_user"();
