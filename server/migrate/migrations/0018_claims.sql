-- Works with code since: 0017
ALTER TABLE "cards" ADD COLUMN "withdrawn_at" timestamp with time zone;--> statement-breakpoint
-- Every account that is verified so far is claimed. Few rows are not, so few are written.
ALTER TABLE "users" ADD COLUMN "claimed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "rejected_at" timestamp with time zone;--> statement-breakpoint
UPDATE "users" SET "claimed" = false WHERE NOT "email_verified";--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "claimed" SET DEFAULT false;--> statement-breakpoint
DROP TRIGGER "live_changed" ON "users";--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "display_name", "email", "email_verified", "claimed", "language" ON "users" FOR EACH ROW
  WHEN ((old.display_name, old.email, old.email_verified, old.claimed, old.language)
    IS DISTINCT FROM (new.display_name, new.email, new.email_verified, new.claimed, new.language))
  EXECUTE FUNCTION "notify_of_user"();--> statement-breakpoint
-- Nobody but the owner of the address learns that it is invited.
CREATE OR REPLACE FUNCTION "notify_of_invite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'invites', 'subscription', new.subscription_id,
    'user', (SELECT id FROM users WHERE email = new.email AND claimed)));
  RETURN NULL;
END $$;
