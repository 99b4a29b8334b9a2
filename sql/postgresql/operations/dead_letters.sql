-- Dead letters among the first 10,000 messages of each queue, by where they lie and where they come from. recent: those of the last ten minutes,
-- and recent_last those among the last 1,000 of each priority, where the last ones of a long queue are.
-- Parameters: none
-- Index: the key of message, up to 10,000 rows for each queue, and 1,000 for each priority.
-- Locks: none.
-- Rights: GRANT SELECT (destination_id, priority_order, message_id, origin_id, enqueued_at) ON readpast.message, SELECT ON readpast.destination
SELECT q.name, q.destination_id, o.name AS origin, COUNT(CASE WHEN f.is_first = 1 THEN 1 END) AS messages,
       COUNT(CASE WHEN f.is_first = 1 AND f.enqueued_at > statement_timestamp() - INTERVAL '10' MINUTE THEN 1 END) AS recent,
       COUNT(CASE WHEN f.is_first = 0 AND f.enqueued_at > statement_timestamp() - INTERVAL '10' MINUTE THEN 1 END) AS recent_last,
       MIN(f.enqueued_at) AS oldest_at, MAX(f.enqueued_at) AS newest_at
FROM readpast.destination q
CROSS JOIN LATERAL (
    SELECT 1 AS is_first, h.origin_id, h.enqueued_at
    FROM (SELECT m.origin_id, m.enqueued_at FROM readpast.message m
          WHERE m.destination_id = q.destination_id
          ORDER BY m.destination_id, m.priority_order, m.message_id
          LIMIT 10000) h
    UNION ALL
    SELECT 0, t.origin_id, t.enqueued_at
    FROM generate_series(0, 9) AS p
    CROSS JOIN LATERAL (
        SELECT m.origin_id, m.enqueued_at FROM readpast.message m
        WHERE m.destination_id = q.destination_id AND m.priority_order = p
        ORDER BY m.destination_id DESC, m.priority_order DESC, m.message_id DESC
        LIMIT 1000) t) f
LEFT JOIN readpast.destination o ON o.destination_id = f.origin_id
WHERE q.kind = 'Q' AND f.origin_id IS NOT NULL
GROUP BY q.name, q.destination_id, o.name
HAVING COUNT(CASE WHEN f.is_first = 1 OR f.enqueued_at > statement_timestamp() - INTERVAL '10' MINUTE THEN 1 END) > 0
ORDER BY q.name, o.name
