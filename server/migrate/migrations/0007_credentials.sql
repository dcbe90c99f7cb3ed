ALTER TABLE "action_codes" ADD COLUMN "session_id" text;--> statement-breakpoint
ALTER TABLE "provider_links" ADD COLUMN "attached_unverified" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "started_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "credentials_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "sessions" SET "started_at" = "signed_in_at";--> statement-breakpoint
UPDATE "provider_links" SET "attached_unverified" = true WHERE "user_id" IN (SELECT "id" FROM "users" WHERE NOT "email_verified");
--> statement-breakpoint
-- A user who is disabled, in whichever way, is out at the next request: their streams end with their sessions.
CREATE FUNCTION "end_sessions_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE user_id = new.id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "disabled" AFTER UPDATE OF "disabled" ON "users" FOR EACH ROW WHEN (new.disabled AND NOT old.disabled)
  EXECUTE FUNCTION "end_sessions_of_user"();--> statement-breakpoint
DELETE FROM "sessions" USING "users" WHERE "users"."id" = "sessions"."user_id" AND "users"."disabled";
