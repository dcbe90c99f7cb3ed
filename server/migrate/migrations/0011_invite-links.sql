ALTER TABLE "invites" ADD COLUMN "link_hash" text;--> statement-breakpoint
ALTER TABLE "invites" ADD CONSTRAINT "invites_link_hash_unique" UNIQUE("link_hash");