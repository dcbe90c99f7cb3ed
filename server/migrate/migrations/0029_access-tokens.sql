-- Works with code since: 0018
CREATE TABLE "access_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"name" text NOT NULL,
	"access" text NOT NULL,
	"user_id" text NOT NULL,
	"subscription_id" text,
	"second_step_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"is_end_told" boolean DEFAULT false NOT NULL,
	"last_used_at" timestamp with time zone,
	"last_network" text,
	"uses" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "access_tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_of_member" FOREIGN KEY ("subscription_id","user_id") REFERENCES "public"."members"("subscription_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tokens_by_user" ON "access_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "access_tokens_by_membership" ON "access_tokens" USING btree ("subscription_id","user_id");--> statement-breakpoint
CREATE INDEX "access_tokens_by_end" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
-- Open tabs hear of the tokens that they list, and the streams of one that ends, end.
CREATE FUNCTION "notify_of_access_token"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  token access_tokens := coalesce(new, old);
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'user', 'user', token.user_id));
  IF token.subscription_id IS NOT NULL THEN
    INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'subscription', 'subscription', token.subscription_id));
  END IF;
  IF tg_op = 'DELETE' THEN
    INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'session', 'session', token.id));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "live_came" AFTER INSERT OR DELETE ON "access_tokens" FOR EACH ROW EXECUTE FUNCTION "notify_of_access_token"();--> statement-breakpoint
CREATE OR REPLACE FUNCTION "end_sessions_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE user_id = new.id;
  DELETE FROM access_tokens WHERE user_id = new.id;
  RETURN NULL;
END $$;
