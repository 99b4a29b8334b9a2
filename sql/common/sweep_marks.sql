-- Removes marks below which no message waits any more, and those that a later death has made superfluous.
-- Parameters: none
-- Index: a scan of readpast.suspect_mark, which is empty while no JVM dies; for each mark primary key of readpast.message, the messages of the
--   destination up to the first that is old enough.
-- Locks: the deleted rows.
DELETE FROM readpast.suspect_mark s
WHERE NOT EXISTS (
        SELECT 1 FROM readpast.message m WHERE m.destination_id = s.destination_id AND m.message_id <= s.up_to)
   OR EXISTS (
        SELECT 1 FROM readpast.suspect_mark n WHERE n.destination_id = s.destination_id AND n.up_to > s.up_to)
