-- Dead letters, by where they lie and where they come from. recent: of the last ten minutes.
-- Parameters: none
-- Index: a scan of the key of message.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.message, readpast.destination
SELECT q.name, q.destination_id, o.name AS origin, COUNT(*) AS messages,
       COUNT(CASE WHEN m.enqueued_at > CURRENT_TIMESTAMP - INTERVAL '10' MINUTE THEN 1 END) AS recent, 0 AS recent_last,
       MIN(m.enqueued_at) AS oldest_at, MAX(m.enqueued_at) AS newest_at
FROM readpast.message m
INNER JOIN readpast.destination q ON q.destination_id = m.destination_id
LEFT JOIN readpast.destination o ON o.destination_id = m.origin_id
WHERE q.kind = 'Q' AND m.origin_id IS NOT NULL
GROUP BY q.name, q.destination_id, o.name
ORDER BY q.name, o.name
