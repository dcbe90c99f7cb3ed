-- Works with code since: 0001
CREATE TABLE "notices" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"subscription_id" text,
	"project" text NOT NULL,
	"details" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone,
	"is_listed" boolean NOT NULL,
	"in_digest" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notices_zones" (
	"user_id" text PRIMARY KEY NOT NULL,
	"zone" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices_zones" ADD CONSTRAINT "notices_zones_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notices_by_user" ON "notices" USING btree ("user_id","at","id");--> statement-breakpoint
CREATE INDEX "notices_by_project" ON "notices" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "notices_by_time" ON "notices" USING btree ("at");--> statement-breakpoint
CREATE INDEX "notices_for_digest" ON "notices" USING btree ("user_id","at") WHERE in_digest;--> statement-breakpoint
-- Once for each statement, because one can mark a thousand.
CREATE FUNCTION "notices_tell_tabs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload)
    SELECT DISTINCT ON (user_id) 'notice', json_build_object('what', 'notices', 'user', user_id) FROM changed;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "live_came" AFTER INSERT ON "notices" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "notices_tell_tabs"();--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE ON "notices" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "notices_tell_tabs"();
