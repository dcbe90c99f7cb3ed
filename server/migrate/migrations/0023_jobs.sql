-- Works with code since: 0018
CREATE TABLE "jobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1000000000000 CACHE 1),
	"task" text NOT NULL,
	"key" text,
	"payload" json NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"run_at" timestamp with time zone DEFAULT now(),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_error" text,
	"server" text,
	"taken_at" timestamp with time zone,
	CONSTRAINT "jobs_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE INDEX "jobs_by_time" ON "jobs" USING btree ("run_at","id") WHERE server is null;--> statement-breakpoint
CREATE INDEX "jobs_by_server" ON "jobs" USING btree ("server") WHERE server is not null;