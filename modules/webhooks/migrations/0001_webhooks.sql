-- Works with code since: 0001
CREATE TABLE "webhooks_deliveries" (
	"id" text PRIMARY KEY DEFAULT 'msg_' || replace(gen_random_uuid()::text, '-', '') NOT NULL,
	"webhook_id" text NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhooks_deliveries_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"state" text DEFAULT 'new' NOT NULL,
	"event" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_id" text,
	"subject_id" text,
	"details" jsonb NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"tried_at" timestamp with time zone,
	"took" integer,
	"status" integer,
	"answer" text,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"subscription_id" text NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"status" text DEFAULT 'on' NOT NULL,
	"paused_because" text,
	"secret" text NOT NULL,
	"former_secret" text,
	"former_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"server" text,
	"next_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "webhooks_deliveries" ADD CONSTRAINT "webhooks_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhooks_deliveries_new" ON "webhooks_deliveries" USING btree ("seq") WHERE state = 'new';--> statement-breakpoint
CREATE INDEX "webhooks_deliveries_open" ON "webhooks_deliveries" USING btree ("webhook_id","state","seq") WHERE state in ('waiting', 'asked');--> statement-breakpoint
CREATE INDEX "webhooks_deliveries_by_webhook" ON "webhooks_deliveries" USING btree ("webhook_id","seq");--> statement-breakpoint
CREATE INDEX "webhooks_deliveries_by_time" ON "webhooks_deliveries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "webhooks_by_project" ON "webhooks" USING btree ("subscription_id","created_at");--> statement-breakpoint
CREATE INDEX "webhooks_due" ON "webhooks" USING btree ("next_at");--> statement-breakpoint
CREATE TRIGGER live_came AFTER INSERT OR DELETE ON webhooks FOR EACH ROW EXECUTE FUNCTION notify_of_row('webhooks');--> statement-breakpoint
CREATE TRIGGER live_changed AFTER UPDATE OF url, events, status ON webhooks FOR EACH ROW EXECUTE FUNCTION notify_of_row('webhooks');
