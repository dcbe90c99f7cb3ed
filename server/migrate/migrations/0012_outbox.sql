-- What transactions want done afterwards is kept with them, in one table, and one server at a time takes it from there.
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"task" text,
	"job_key" text,
	"payload" json
);
--> statement-breakpoint
ALTER TABLE "kept_mails" ADD COLUMN "job_id" bigint;--> statement-breakpoint
ALTER TABLE "kept_mails" ADD CONSTRAINT "kept_mails_job_id_unique" UNIQUE("job_id");--> statement-breakpoint
-- The table is emptied all the time: vacuumed by count, it stays small.
ALTER TABLE "outbox" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);--> statement-breakpoint
-- Counts need not survive a crash, so no commit waits for the disk because of them.
ALTER TABLE "rate_limits" SET UNLOGGED;--> statement-breakpoint
ALTER TABLE "rate_limits" SET (fillfactor = 50);--> statement-breakpoint
-- NOTIFY in people's transactions would let only one of them commit at a time.
CREATE OR REPLACE FUNCTION "notify_of_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'members',
    'subscription', coalesce(new.subscription_id, old.subscription_id), 'user', coalesce(new.user_id, old.user_id)));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "notify_of_invite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'invites', 'subscription', new.subscription_id,
    'user', (SELECT id FROM users WHERE email = new.email AND email_verified)));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "notify_of_subscription"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'subscription', 'subscription', new.id));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "notify_of_invoice"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'invoices', 'subscription', new.subscription_id));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "notify_of_session"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'session', 'session', old.id));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "notify_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'user', 'user', new.id));
  RETURN NULL;
END $$;
