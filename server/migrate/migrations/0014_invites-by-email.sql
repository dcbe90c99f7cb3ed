DROP INDEX "invites_pending_by_email";--> statement-breakpoint
CREATE INDEX "invites_by_email" ON "invites" USING btree ("email");