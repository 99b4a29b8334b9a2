-- Removes marks below which no message waits any more, and those that a later death has made superfluous.
-- Parameters: none
-- Index: a scan of [readpast].suspect_mark, which is empty while no JVM dies; for each mark message_key, the messages of the
--   destination up to the first that is old enough.
-- Locks: the deleted rows. A message that is being acknowledged is not waited for; whoever has it in hands marks again by dying.
DELETE FROM s
FROM [readpast].suspect_mark AS s WITH (READPAST, ROWLOCK)
WHERE NOT EXISTS (
        SELECT 1
        FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id)))
        WHERE m.destination_id = s.destination_id AND m.message_id <= s.up_to)
   OR EXISTS (
        SELECT 1
        FROM [readpast].suspect_mark AS n WITH (READPAST, READCOMMITTEDLOCK)
        WHERE n.destination_id = s.destination_id AND n.up_to > s.up_to)
