-- Removes what was counted of messages that are gone by other ways than an acknowledgement: expired, moved, taken by a program in SQL.
-- Parameters: none
-- Index: a scan of [readpast].suspect_delivery, which is empty while no JVM dies; message_key, one seek for each row.
-- Locks: the deleted rows. One whose message is being acknowledged is locked by that before the message is, and stepped over.
DELETE FROM s
FROM [readpast].suspect_delivery AS s WITH (READPAST, ROWLOCK)
WHERE NOT EXISTS (
    SELECT 1
    FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    WHERE m.destination_id = s.destination_id AND m.priority_order = s.priority_order AND m.message_id = s.message_id)
