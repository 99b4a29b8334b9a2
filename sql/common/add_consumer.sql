-- Notes an active consumer of a subscription.
-- Parameters: :destination_id, :consumer, :instance
-- Index: primary key of readpast.subscription_consumer.
-- Locks: the new row.
INSERT INTO readpast.subscription_consumer (destination_id, consumer, instance)
VALUES (:destination_id, :consumer, :instance)
