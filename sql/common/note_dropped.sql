-- Remembers a destination that is being removed: somebody may be about to commit messages for it.
-- Parameters: :destination_id
-- Index: primary key of readpast.dropped_destination.
-- Locks: the new row.
INSERT INTO readpast.dropped_destination (destination_id) VALUES (:destination_id)
