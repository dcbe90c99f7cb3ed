-- Works with code since: 0018
CREATE TABLE "join_links" (
	"subscription_id" text PRIMARY KEY NOT NULL,
	"host_id" text NOT NULL,
	"code_hash" text NOT NULL,
	"code" text NOT NULL,
	"permissions" text[] NOT NULL,
	"uses_left" integer,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "join_links_code_hash_unique" UNIQUE("code_hash")
);
--> statement-breakpoint
CREATE TABLE "join_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"subscription_id" text NOT NULL,
	"user_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"declined_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "removed_members" (
	"subscription_id" text NOT NULL,
	"user_id" text NOT NULL,
	"removed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "removed_members_subscription_id_user_id_pk" PRIMARY KEY("subscription_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "join_links" ADD CONSTRAINT "join_links_of_member" FOREIGN KEY ("subscription_id","host_id") REFERENCES "public"."members"("subscription_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_requests" ADD CONSTRAINT "join_requests_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_requests" ADD CONSTRAINT "join_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removed_members" ADD CONSTRAINT "removed_members_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removed_members" ADD CONSTRAINT "removed_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "join_links_by_host" ON "join_links" USING btree ("host_id");--> statement-breakpoint
CREATE UNIQUE INDEX "join_requests_one" ON "join_requests" USING btree ("subscription_id","user_id");--> statement-breakpoint
CREATE INDEX "join_requests_by_user" ON "join_requests" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "removed_members_by_user" ON "removed_members" USING btree ("user_id");--> statement-breakpoint
SELECT make_live('join_links', 'invites');--> statement-breakpoint
SELECT make_live('join_requests', 'invites');--> statement-breakpoint
CREATE OR REPLACE FUNCTION "end_sessions_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE user_id = new.id;
  DELETE FROM access_tokens WHERE user_id = new.id;
  DELETE FROM join_links WHERE host_id = new.id;
  RETURN NULL;
END $$;--> statement-breakpoint
-- Whoever was removed before there were links is kept out by them too.
INSERT INTO removed_members (subscription_id, user_id, removed_at)
  SELECT subscription_id, subject_id, max(at) FROM activity removed
  WHERE kind = 'memberRemoved' AND subscription_id IS NOT NULL AND subject_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM activity joined
    WHERE joined.actor_id = removed.subject_id AND joined.id > removed.id
      AND joined.subscription_id = removed.subscription_id AND joined.kind = 'memberJoined'
  )
  GROUP BY subscription_id, subject_id;
