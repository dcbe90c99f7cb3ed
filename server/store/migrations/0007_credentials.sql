ALTER TABLE "action_codes" ADD COLUMN "session_id" text;--> statement-breakpoint
ALTER TABLE "provider_links" ADD COLUMN "attached_unverified" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "started_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "credentials_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "sessions" SET "started_at" = "signed_in_at";--> statement-breakpoint
UPDATE "provider_links" SET "attached_unverified" = true WHERE "user_id" IN (SELECT "id" FROM "users" WHERE NOT "email_verified");
