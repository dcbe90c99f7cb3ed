-- Works with code since: 0018
CREATE TABLE "enrollments" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"session_id" text NOT NULL,
	"type" text NOT NULL,
	"display_name" text NOT NULL,
	"secret" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "factors" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"type" text NOT NULL,
	"display_name" text NOT NULL,
	"secret" text NOT NULL,
	"last_step" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "recovery_codes_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
CREATE TABLE "resolvers" (
	"hash" text PRIMARY KEY NOT NULL,
	"browser_hash" text NOT NULL,
	"user_id" text NOT NULL,
	"credentials_version" integer NOT NULL,
	"claims" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "second_step_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "has_second_step" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "factors_removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "enrollments" ADD CONSTRAINT "enrollments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrollments" ADD CONSTRAINT "enrollments_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "factors" ADD CONSTRAINT "factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resolvers" ADD CONSTRAINT "resolvers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "enrollments_by_user" ON "enrollments" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "enrollments_by_session" ON "enrollments" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "enrollments_by_end" ON "enrollments" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "factors_by_user" ON "factors" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "resolvers_by_user" ON "resolvers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "resolvers_by_end" ON "resolvers" USING btree ("expires_at");--> statement-breakpoint
-- Open tabs hear of the factors that they show.
CREATE FUNCTION "notify_of_factor"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (kind, payload) VALUES ('notice', json_build_object('what', 'user', 'user', coalesce(new.user_id, old.user_id)));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "live_came" AFTER INSERT OR DELETE ON "factors" FOR EACH ROW EXECUTE FUNCTION "notify_of_factor"();--> statement-breakpoint
CREATE TRIGGER "live_changed" AFTER UPDATE OF "display_name" ON "factors" FOR EACH ROW
  WHEN (old.display_name IS DISTINCT FROM new.display_name) EXECUTE FUNCTION "notify_of_factor"();
