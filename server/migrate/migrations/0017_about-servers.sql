-- Works with code since: 0017
-- The journal of migrations, as Drizzle makes it.
CREATE SCHEMA IF NOT EXISTS "drizzle";--> statement-breakpoint
CREATE TABLE "drizzle"."__drizzle_migrations" (
	"id" serial PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"created_at" bigint
);
--> statement-breakpoint
CREATE SEQUENCE "public"."sync_tickets" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "action_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"mode" text NOT NULL,
	"email" text NOT NULL,
	"session_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "activity" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"kind" text NOT NULL,
	"subscription_id" text,
	"actor_id" text,
	"actor_name" text,
	"subject_id" text,
	"subject" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "idempotency_keys" (
	"user_id" text NOT NULL,
	"key" text NOT NULL,
	"request" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"claimed_by" text,
	"begun" jsonb,
	CONSTRAINT "idempotency_keys_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invites" (
	"id" text PRIMARY KEY NOT NULL,
	"subscription_id" text NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"permissions" text[] NOT NULL,
	"status" text NOT NULL,
	"host_id" text,
	"code_hash" text NOT NULL,
	"link_hash" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "invites_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "invites_link_hash_unique" UNIQUE("link_hash")
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" text PRIMARY KEY NOT NULL,
	"subscription_id" text NOT NULL,
	"number" text,
	"created_at" timestamp with time zone NOT NULL,
	"total" integer NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"amount_paid" integer DEFAULT 0 NOT NULL,
	"amount_refunded" integer DEFAULT 0 NOT NULL,
	"dispute" text,
	"reason" text,
	"token" text DEFAULT replace(gen_random_uuid()::text, '-', '') NOT NULL,
	"next_payment_attempt" timestamp with time zone,
	CONSTRAINT "invoices_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "kept_mails" (
	"id" serial PRIMARY KEY NOT NULL,
	"job_id" bigint,
	"to" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "kept_mails_job_id_unique" UNIQUE("job_id")
);
--> statement-breakpoint
CREATE TABLE "members" (
	"subscription_id" text NOT NULL,
	"user_id" text NOT NULL,
	"permissions" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "members_subscription_id_user_id_pk" PRIMARY KEY("subscription_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"task" text,
	"job_key" text,
	"payload" json
);
--> statement-breakpoint
CREATE TABLE "passwords" (
	"user_id" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"object_type" text NOT NULL,
	"object_id" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"processed_at" timestamp with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "provider_flows" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"secret_hash" text NOT NULL,
	"provider" text NOT NULL,
	"intent" text NOT NULL,
	"user_id" text,
	"session_id" text,
	"language" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_links" (
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" text NOT NULL,
	"email" text,
	"attached_unverified" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "provider_links_provider_subject_pk" PRIMARY KEY("provider","subject")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "servers" (
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"about" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"kind" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"signed_in_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	"address" text NOT NULL,
	"user_agent" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text,
	"plan_id" text NOT NULL,
	"status" text NOT NULL,
	"payment" text DEFAULT 'ok' NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"stripe_customer_id" text,
	"stripe_subscription_id" text,
	"renews_at" timestamp with time zone,
	"weekly_amount" integer,
	"currency" text,
	"ends_at" timestamp with time zone,
	"collection_paused" boolean DEFAULT false NOT NULL,
	"has_card" boolean DEFAULT true NOT NULL,
	"billing_email" text,
	"receipts" boolean DEFAULT true NOT NULL,
	"next_plan_id" text,
	"requested_by" text,
	"billing_lease_until" timestamp with time zone,
	"billing_lease_by" text,
	"synced" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "subscriptions_stripe_subscription_id_unique" UNIQUE("stripe_subscription_id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"display_name" text NOT NULL,
	"avatar_url" text,
	"language" text,
	"disabled" boolean DEFAULT false NOT NULL,
	"credentials_version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
ALTER TABLE "action_codes" ADD CONSTRAINT "action_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_subject_id_users_id_fk" FOREIGN KEY ("subject_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invites" ADD CONSTRAINT "invites_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invites" ADD CONSTRAINT "invites_host_id_users_id_fk" FOREIGN KEY ("host_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passwords" ADD CONSTRAINT "passwords_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_flows" ADD CONSTRAINT "provider_flows_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_flows" ADD CONSTRAINT "provider_flows_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_links" ADD CONSTRAINT "provider_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_tokens" ADD CONSTRAINT "session_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "action_codes_by_user" ON "action_codes" USING btree ("user_id","mode");--> statement-breakpoint
CREATE INDEX "action_codes_by_email" ON "action_codes" USING btree ("email");--> statement-breakpoint
CREATE INDEX "activity_by_subscription" ON "activity" USING btree ("subscription_id","id");--> statement-breakpoint
CREATE INDEX "activity_by_actor" ON "activity" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "activity_by_subject" ON "activity" USING btree ("subject_id","id");--> statement-breakpoint
CREATE INDEX "activity_by_age" ON "activity" USING btree ("at");--> statement-breakpoint
CREATE INDEX "cards_by_subscription" ON "cards" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "cards_by_adder" ON "cards" USING btree ("added_by");--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "invites_one_pending" ON "invites" USING btree ("subscription_id","email") WHERE "invites"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "invites_by_email" ON "invites" USING btree ("email");--> statement-breakpoint
CREATE INDEX "invites_by_host" ON "invites" USING btree ("host_id","email");--> statement-breakpoint
CREATE INDEX "invoices_by_subscription" ON "invoices" USING btree ("subscription_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "kept_mails_by_address" ON "kept_mails" USING btree ("to","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "members_by_user" ON "members" USING btree ("user_id","subscription_id");--> statement-breakpoint
CREATE INDEX "provider_events_waiting" ON "provider_events" USING btree ("received_at") WHERE "provider_events"."processed_at" is null;--> statement-breakpoint
CREATE INDEX "provider_events_by_age" ON "provider_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "provider_flows_by_user" ON "provider_flows" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "provider_flows_by_session" ON "provider_flows" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "provider_flows_by_end" ON "provider_flows" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_links_by_user" ON "provider_links" USING btree ("user_id","provider");--> statement-breakpoint
CREATE INDEX "session_tokens_by_session" ON "session_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "session_tokens_by_end" ON "session_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_by_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "subscriptions_by_owner" ON "subscriptions" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "subscriptions_by_customer" ON "subscriptions" USING btree ("stripe_customer_id");--> statement-breakpoint
CREATE INDEX "subscriptions_incomplete" ON "subscriptions" USING btree ("created_at") WHERE "subscriptions"."status" = 'incomplete';--> statement-breakpoint
CREATE INDEX "subscriptions_changing" ON "subscriptions" USING btree ("id") WHERE "subscriptions"."next_plan_id" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_ending" ON "subscriptions" USING btree ("id") WHERE "subscriptions"."status" = 'active' and "subscriptions"."requested_by" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_leased" ON "subscriptions" USING btree ("billing_lease_by") WHERE "subscriptions"."billing_lease_by" is not null;--> statement-breakpoint
-- The table is emptied all the time: vacuumed by count, it stays small.
ALTER TABLE "outbox" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);--> statement-breakpoint
-- Counts need not survive a crash, so no commit waits for the disk because of them.
ALTER TABLE "rate_limits" SET UNLOGGED;--> statement-breakpoint
ALTER TABLE "rate_limits" SET (fillfactor = 50);--> statement-breakpoint
-- Who is told of a change: in its own transaction, so that nothing is told that was rolled back, and no code has to think of it.
-- NOTIFY in people's transactions would let only one of them commit at a time.
CREATE FUNCTION "notify_of_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'members',
    'subscription', coalesce(new.subscription_id, old.subscription_id), 'user', coalesce(new.user_id, old.user_id)));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "notify_of_invite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'invites', 'subscription', new.subscription_id,
    'user', (SELECT id FROM users WHERE email = new.email AND email_verified)));
  RETURN NULL;
END $$;--> statement-breakpoint
-- PostgreSQL reads a trigger's condition anew for each statement, which took a third of a small change's time. A function's is kept.
CREATE FUNCTION "notify_of_subscription"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (old.owner_id, old.plan_id, old.status, old.payment, old.settings, old.renews_at, old.weekly_amount, old.currency, old.ends_at,
      old.collection_paused, old.has_card)
    IS DISTINCT FROM (new.owner_id, new.plan_id, new.status, new.payment, new.settings, new.renews_at, new.weekly_amount, new.currency,
      new.ends_at, new.collection_paused, new.has_card) THEN
    INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'subscription', 'subscription', new.id));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "notify_of_invoice"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'invoices', 'subscription', new.subscription_id));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "notify_of_session"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'session', 'session', old.id));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "notify_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'user', 'user', new.id));
  RETURN NULL;
END $$;--> statement-breakpoint
-- A user who is disabled, in whichever way, is out at the next request: their streams end with their sessions.
CREATE FUNCTION "end_sessions_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE user_id = new.id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "live_came" AFTER INSERT OR DELETE ON "members" FOR EACH ROW EXECUTE FUNCTION "notify_of_member"();--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "permissions" ON "members" FOR EACH ROW
  WHEN (old.permissions IS DISTINCT FROM new.permissions) EXECUTE FUNCTION "notify_of_member"();--> statement-breakpoint
CREATE TRIGGER "live_came" AFTER INSERT ON "invites" FOR EACH ROW EXECUTE FUNCTION "notify_of_invite"();--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "status", "expires_at" ON "invites" FOR EACH ROW
  WHEN ((old.status, old.expires_at) IS DISTINCT FROM (new.status, new.expires_at)) EXECUTE FUNCTION "notify_of_invite"();--> statement-breakpoint
CREATE TRIGGER "live_came" AFTER INSERT ON "invoices" FOR EACH ROW EXECUTE FUNCTION "notify_of_invoice"();--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE ON "invoices" FOR EACH ROW
  WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION "notify_of_invoice"();--> statement-breakpoint
CREATE TRIGGER "live_ended" AFTER DELETE ON "sessions" FOR EACH ROW EXECUTE FUNCTION "notify_of_session"();--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "owner_id", "plan_id", "status", "payment", "settings", "renews_at", "weekly_amount", "currency",
  "ends_at", "collection_paused", "has_card" ON "subscriptions" FOR EACH ROW EXECUTE FUNCTION "notify_of_subscription"();--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "display_name", "email", "email_verified", "language" ON "users" FOR EACH ROW
  WHEN ((old.display_name, old.email, old.email_verified, old.language)
    IS DISTINCT FROM (new.display_name, new.email, new.email_verified, new.language))
  EXECUTE FUNCTION "notify_of_user"();--> statement-breakpoint
CREATE TRIGGER "disabled" AFTER UPDATE OF "disabled" ON "users" FOR EACH ROW WHEN (new.disabled AND NOT old.disabled)
  EXECUTE FUNCTION "end_sessions_of_user"();
