-- The first message of each priority, and since when it waits.
-- Parameters: none
-- Index: the key of message, ten seeks for each queue.
-- Locks: none.
-- Rights: GRANT SELECT (destination_id, priority_order, message_id, enqueued_at, expires_at) ON readpast.message, SELECT ON readpast.destination
SELECT d.destination_id, p AS priority_order, f.message_id, f.enqueued_at, f.expires_at
FROM readpast.destination d
CROSS JOIN generate_series(0, 9) AS p
CROSS JOIN LATERAL (
    SELECT m.message_id, m.enqueued_at, m.expires_at FROM readpast.message m
    WHERE m.destination_id = d.destination_id AND m.priority_order = p
    ORDER BY m.message_id
    LIMIT 1) f
ORDER BY d.destination_id, p
