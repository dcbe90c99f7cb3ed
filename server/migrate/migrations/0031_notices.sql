-- Works with code since: 0018
CREATE TABLE "uninvited_mailboxes" (
	"mailbox" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- Whether a kind is mailed at all stays in "notices", so what people have switched off stays off, also
-- while servers of a former version run. This says only how else they are told.
ALTER TABLE "users" ADD COLUMN "notice_ways" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
-- A link in a mail changes the choice that an open profile shows.
CREATE TRIGGER "live_chosen" AFTER UPDATE OF "notices", "notice_ways" ON "users" FOR EACH ROW
  WHEN ((old.notices, old.notice_ways) IS DISTINCT FROM (new.notices, new.notice_ways))
  EXECUTE FUNCTION "notify_of_user"();
