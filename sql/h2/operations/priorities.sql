-- The first message of each priority, and since when it waits.
-- Parameters: none
-- Index: the key of message, ten seeks for each queue.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.message, readpast.destination
SELECT m.destination_id, m.priority_order, m.message_id, m.enqueued_at, m.expires_at
FROM readpast.destination d
CROSS JOIN SYSTEM_RANGE(0, 9) p
INNER JOIN readpast.message m
    ON m.destination_id = d.destination_id AND m.priority_order = p.x AND m.message_id = (
        SELECT MIN(i.message_id) FROM readpast.message i
        WHERE i.destination_id = d.destination_id AND i.priority_order = p.x)
ORDER BY m.destination_id, m.priority_order
