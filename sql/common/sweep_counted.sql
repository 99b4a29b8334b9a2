-- Removes what was counted of messages that are gone by other ways than an acknowledgement: expired, moved, taken by a program in SQL.
-- Parameters: none
-- Index: a scan of readpast.suspect_delivery, which is empty while no JVM dies; primary key of readpast.message, one seek for each row.
-- Locks: the deleted rows.
DELETE FROM readpast.suspect_delivery s
WHERE NOT EXISTS (
    SELECT 1
    FROM readpast.message m
    WHERE m.destination_id = s.destination_id AND m.priority_order = s.priority_order AND m.message_id = s.message_id)
