-- Removes what was noted of dead letters that are gone, or have been put back where they came from.
-- Parameters: none
-- Index: a scan of readpast.unreadable_message, which is empty while all rows are messages; primary key of readpast.message and delayed_message_destination, one seek
--   each for each row.
-- Locks: the deleted rows.
DELETE FROM readpast.unreadable_message u
WHERE NOT EXISTS (
    SELECT 1
    FROM readpast.message m
    WHERE m.destination_id = u.destination_id AND m.priority_order = u.priority_order AND m.message_id = u.message_id)
  AND NOT EXISTS (
    SELECT 1
    FROM readpast.delayed_message m
    WHERE m.destination_id = u.destination_id AND m.message_id = u.message_id)
