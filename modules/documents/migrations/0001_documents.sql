-- Works with code since: 0001
CREATE TABLE "documents" (
	"id" text PRIMARY KEY NOT NULL,
	"subscription_id" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"bytes" integer GENERATED ALWAYS AS (octet_length(title) + octet_length("text")) STORED NOT NULL,
	"created_by" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_by" text,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "documents_by_project" ON "documents" USING btree ("subscription_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "documents_by_creator" ON "documents" USING btree ("created_by","id");--> statement-breakpoint
CREATE INDEX "documents_by_editor" ON "documents" USING btree ("updated_by");--> statement-breakpoint
SELECT make_live('documents', 'documents');
