-- Works with code since: 0018
ALTER TABLE "members" ADD COLUMN "has_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE TRIGGER "live_hidden" AFTER UPDATE OF "has_hidden" ON "members" FOR EACH ROW
  WHEN (old.has_hidden IS DISTINCT FROM new.has_hidden) EXECUTE FUNCTION "notify_of_member"();
