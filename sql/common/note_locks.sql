-- Notes that a JVM that has claimed by lease alone from a destination is about to claim by locks.
-- Parameters: :destination_id, :instance
-- Index: primary key of readpast.consumed_destination, one seek.
-- Locks: the row.
UPDATE readpast.consumed_destination SET by_lease = 0
WHERE instance = :instance AND destination_id = :destination_id AND by_lease = 1
