-- A consumer of a subscription is active no more.
-- Parameters: :destination_id, :consumer
-- Index: primary key of readpast.subscription_consumer.
-- Locks: the row.
DELETE FROM readpast.subscription_consumer WHERE destination_id = :destination_id AND consumer = :consumer
