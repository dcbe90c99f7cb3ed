DROP INDEX "invites_by_host";--> statement-breakpoint
CREATE INDEX "invites_by_host" ON "invites" USING btree ("host_id","email");