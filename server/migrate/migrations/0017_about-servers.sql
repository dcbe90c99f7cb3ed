-- Works with code since: 0016
ALTER TABLE "servers" ADD COLUMN "about" jsonb DEFAULT '{}'::jsonb NOT NULL;