-- Says that a queue leaves this database for another one, or comes to it from there.
-- Parameters: :queue, :moved (away, here, or null for neither), :database (what routes call the other one, or null)
-- Index: destination_name.
-- Locks: the queue's row, for a moment.
-- Rights: GRANT UPDATE (moved, moved_database) ON readpast.destination
UPDATE readpast.destination SET moved = :moved, moved_database = :database WHERE kind = 'Q' AND name = :queue
