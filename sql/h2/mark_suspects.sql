-- A JVM has died: marks the destinations that it consumed from. All that waits there now may have been in its hands. Whoever calls
-- holds the lock of the dead JVM, so that nobody else does this at once, and forgets what it consumed in the same transaction, so that
-- nobody does it again.
-- Parameters: :instance
-- Index: primary key of readpast.consumed_destination, a range; primary key of readpast.message, one seek for each destination.
-- Locks: the new rows. The number comes from the sequence of message ids, so that it is higher than that of any message there.
INSERT INTO readpast.suspect_mark (destination_id, up_to, instance)
SELECT c.destination_id, NEXT VALUE FOR readpast.message_seq, c.instance
FROM readpast.consumed_destination c
WHERE c.instance = :instance AND c.by_lease = 0
  AND EXISTS (SELECT 1 FROM readpast.message m WHERE m.destination_id = c.destination_id)
