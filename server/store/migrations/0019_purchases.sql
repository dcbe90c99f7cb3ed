-- Works with code since: 0018
ALTER TABLE "subscriptions" ADD COLUMN "outcome_seen" boolean;