-- Raises the version of the topic of a subscription.
-- Parameters: :destination_id (the subscription)
-- Index: primary keys of readpast.subscription and readpast.destination.
-- Locks: the topic's row, until the transaction ends.
UPDATE readpast.destination SET version = version + 1
WHERE destination_id = (SELECT s.topic_id FROM readpast.subscription s WHERE s.destination_id = :destination_id)
