-- Works with code since: 0018
CREATE TABLE "refused_mails" (
	"about" text NOT NULL,
	"address" text NOT NULL,
	"mail" text NOT NULL,
	"reply" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "refused_mails_about_address_pk" PRIMARY KEY("about","address")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "notices" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "refused_mails_by_address" ON "refused_mails" USING btree ("address");--> statement-breakpoint
CREATE FUNCTION "notify_of_refused_mail"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload)
    SELECT 'notice', json_build_object('what', 'invites', 'subscription', subscription_id) FROM invites WHERE code_hash = new.about
    UNION ALL SELECT 'notice', json_build_object('what', 'subscription', 'subscription', id) FROM subscriptions WHERE id = new.about
    UNION ALL SELECT 'notice', json_build_object('what', 'user', 'user', user_id) FROM action_codes
      WHERE hash = new.about AND mode IN ('verifyEmail', 'verifyAndChangeEmail');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER INSERT OR UPDATE ON "refused_mails" FOR EACH ROW EXECUTE FUNCTION "notify_of_refused_mail"();
