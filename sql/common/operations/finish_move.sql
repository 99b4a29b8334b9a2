-- Says of a queue that leaves this database that nothing of it is left, if that is so: no message, be it delayed, held or in somebody's hands.
-- Parameters: :queue
-- Index: destination_name, and one seek in each message table.
-- Locks: the queue's row, for a moment.
-- Rights: GRANT UPDATE (moved, moved_database) ON readpast.destination; GRANT SELECT ON readpast.message; GRANT SELECT ON readpast.delayed_message
UPDATE readpast.destination SET moved = 'gone'
WHERE kind = 'Q' AND name = :queue AND moved = 'away'
  AND NOT EXISTS (SELECT 1 FROM readpast.message m WHERE m.destination_id = readpast.destination.destination_id)
  AND NOT EXISTS (SELECT 1 FROM readpast.delayed_message y WHERE y.destination_id = readpast.destination.destination_id)
