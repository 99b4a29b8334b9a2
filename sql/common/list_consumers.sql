-- Which JVMs have active consumers of a subscription.
-- Parameters: :destination_id
-- Index: primary key of readpast.subscription_consumer, a range.
-- Locks: none that lasts.
SELECT DISTINCT instance FROM readpast.subscription_consumer WHERE destination_id = :destination_id
