-- Queues whose first message says that it was sent later than it arrived: its sender's clock is ahead of the database's.
-- Parameters: none
-- Index: the key of message, one row for each queue.
-- Locks: none.
-- Rights: GRANT SELECT (destination_id, priority_order, message_id, jms_message_id, jms_timestamp, enqueued_at) ON readpast.message, SELECT ON readpast.destination
SELECT d.kind, d.name, f.jms_message_id, f.jms_timestamp, f.enqueued_at
FROM readpast.destination d
CROSS JOIN LATERAL (
    SELECT m.jms_message_id, m.jms_timestamp, m.enqueued_at FROM readpast.message m
    WHERE m.destination_id = d.destination_id
    ORDER BY m.destination_id, m.priority_order, m.message_id
    LIMIT 1) f
WHERE f.jms_timestamp > extract(epoch FROM f.enqueued_at) * 1000 + 5000
ORDER BY d.name
