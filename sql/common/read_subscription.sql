-- One subscription.
-- Parameters: :destination_id
-- Index: primary key of readpast.subscription.
-- Locks: none that lasts.
SELECT topic_id, durable, shared, origin, selector, pattern FROM readpast.subscription WHERE destination_id = :destination_id
