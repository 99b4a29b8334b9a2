-- Raises the version of a topic, which makes its publishers read its subscriptions anew; or locks a subscription.
-- Parameters: :destination_id
-- Index: primary key of readpast.destination.
-- Locks: the row, until the transaction ends.
UPDATE readpast.destination SET version = version + 1 WHERE destination_id = :destination_id
