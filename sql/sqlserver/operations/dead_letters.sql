-- Dead letters among the first 10,000 messages of each queue, by where they lie and where they come from. recent: of the last ten minutes.
-- Parameters: none
-- Index: message_key, 10,000 rows for each queue.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].message (destination_id, priority_order, message_id, origin_id, enqueued_at); GRANT SELECT ON [readpast].destination
SELECT q.name, q.destination_id, o.name AS origin, COUNT(*) AS messages,
       COUNT(CASE WHEN f.enqueued_at > DATEADD(minute, -10, SYSUTCDATETIME()) THEN 1 END) AS recent,
       MIN(f.enqueued_at) AS oldest_at, MAX(f.enqueued_at) AS newest_at
FROM [readpast].destination AS q WITH (NOLOCK)
CROSS APPLY (
    SELECT TOP (10000) m.origin_id, m.enqueued_at
    FROM [readpast].message AS m WITH (NOLOCK, FORCESEEK (message_key (destination_id)))
    WHERE m.destination_id = q.destination_id
    ORDER BY m.priority_order, m.message_id) AS f
LEFT JOIN [readpast].destination AS o WITH (NOLOCK) ON o.destination_id = f.origin_id
WHERE q.kind = N'Q' AND f.origin_id IS NOT NULL
GROUP BY q.name, q.destination_id, o.name
ORDER BY q.name, o.name
OPTION (MAXDOP 1)
