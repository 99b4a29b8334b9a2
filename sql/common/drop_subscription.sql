-- Removes what makes a destination a subscription.
-- Parameters: :destination_id
-- Index: primary key of readpast.subscription.
-- Locks: the row.
DELETE FROM readpast.subscription WHERE destination_id = :destination_id
