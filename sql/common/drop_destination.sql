-- Removes a temporary destination; its messages are removed separately.
-- Parameters: :destination_id, :instance (its owner)
-- Index: primary key of readpast.destination.
-- Locks: the row.
DELETE FROM readpast.destination WHERE destination_id = :destination_id AND owner = :instance
