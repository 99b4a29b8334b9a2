-- The consumers that a JVM has of a subscription are active no more.
-- Parameters: :destination_id, :instance
-- Index: primary key of readpast.subscription_consumer, a range.
-- Locks: the rows.
DELETE FROM readpast.subscription_consumer WHERE destination_id = :destination_id AND instance = :instance
