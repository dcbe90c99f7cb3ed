-- A language that is chosen in one browser is shown in the others.
DROP TRIGGER "live_changed" ON "users";--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "display_name", "email", "email_verified", "language" ON "users" FOR EACH ROW
  WHEN ((old.display_name, old.email, old.email_verified, old.language)
    IS DISTINCT FROM (new.display_name, new.email, new.email_verified, new.language))
  EXECUTE FUNCTION "tell_of_user"();
