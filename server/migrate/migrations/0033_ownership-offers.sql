-- Works with code since: 0018
CREATE TABLE "ownership_offers" (
	"subscription_id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"card_id" text,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ownership_offers" ADD CONSTRAINT "ownership_offers_to_member" FOREIGN KEY ("subscription_id","user_id") REFERENCES "public"."members"("subscription_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ownership_offers_by_user" ON "ownership_offers" USING btree ("user_id");--> statement-breakpoint
SELECT make_live('ownership_offers', 'subscription');