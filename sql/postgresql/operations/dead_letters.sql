-- Dead letters among the first 10,000 messages of each queue, by where they lie and where they come from. recent: of the last ten minutes.
-- Parameters: none
-- Index: the key of message, 10,000 rows for each queue.
-- Locks: none.
-- Rights: GRANT SELECT (destination_id, priority_order, message_id, origin_id, enqueued_at) ON readpast.message, SELECT ON readpast.destination
SELECT q.name, q.destination_id, o.name AS origin, COUNT(*) AS messages,
       COUNT(CASE WHEN f.enqueued_at > statement_timestamp() - INTERVAL '10' MINUTE THEN 1 END) AS recent,
       MIN(f.enqueued_at) AS oldest_at, MAX(f.enqueued_at) AS newest_at
FROM readpast.destination q
CROSS JOIN LATERAL (
    SELECT m.origin_id, m.enqueued_at FROM readpast.message m
    WHERE m.destination_id = q.destination_id
    ORDER BY m.destination_id, m.priority_order, m.message_id
    LIMIT 10000) f
LEFT JOIN readpast.destination o ON o.destination_id = f.origin_id
WHERE q.kind = 'Q' AND f.origin_id IS NOT NULL
GROUP BY q.name, q.destination_id, o.name
ORDER BY q.name, o.name
