-- Removes a subscription's row, whoever owns it; its messages are removed separately.
-- Parameters: :destination_id
-- Index: primary key of readpast.destination.
-- Locks: the row.
DELETE FROM readpast.destination WHERE destination_id = :destination_id
