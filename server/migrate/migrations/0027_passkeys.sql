-- Works with code since: 0018
ALTER TABLE "factors" ALTER COLUMN "secret" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "factors" ALTER COLUMN "last_step" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "resolvers" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "resolvers" ALTER COLUMN "credentials_version" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "credential_id" text;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "public_key" text;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "rp_id" text;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "counter" bigint;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "transports" text[];--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "is_synced" boolean;--> statement-breakpoint
ALTER TABLE "factors" ADD CONSTRAINT "factors_credential_id_unique" UNIQUE("credential_id");