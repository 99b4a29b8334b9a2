-- The first message of each priority, and since when it waits.
-- Parameters: none
-- Index: a scan of the key of message.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.message
SELECT m.destination_id, m.priority_order, m.message_id, m.enqueued_at, m.expires_at
FROM readpast.message m
INNER JOIN (
    SELECT destination_id, priority_order, MIN(message_id) AS message_id
    FROM readpast.message
    GROUP BY destination_id, priority_order) f
    ON f.destination_id = m.destination_id AND f.priority_order = m.priority_order AND f.message_id = m.message_id
ORDER BY m.destination_id, m.priority_order
