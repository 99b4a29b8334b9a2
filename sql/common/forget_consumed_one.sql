-- Forgets that a JVM consumed from a destination, which was removed or has this id no more.
-- Parameters: :instance, :destination_id
-- Index: primary key of readpast.consumed_destination, one seek.
-- Locks: the row.
DELETE FROM readpast.consumed_destination WHERE instance = :instance AND destination_id = :destination_id
