-- Dead letters among the first 10,000 messages of each queue, by where they lie and where they come from. recent: those of the last ten minutes,
-- and recent_last those among the last 1,000 of each priority, where the last ones of a long queue are.
-- Parameters: none
-- Index: message_key, up to 10,000 rows for each queue, and 1,000 for each priority.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].message (destination_id, priority_order, message_id, origin_id, enqueued_at); GRANT SELECT ON [readpast].destination
SELECT q.name, q.destination_id, o.name AS origin, COUNT(CASE WHEN f.is_first = 1 THEN 1 END) AS messages,
       COUNT(CASE WHEN f.is_first = 1 AND f.enqueued_at > DATEADD(minute, -10, SYSUTCDATETIME()) THEN 1 END) AS recent,
       COUNT(CASE WHEN f.is_first = 0 AND f.enqueued_at > DATEADD(minute, -10, SYSUTCDATETIME()) THEN 1 END) AS recent_last,
       MIN(f.enqueued_at) AS oldest_at, MAX(f.enqueued_at) AS newest_at
FROM [readpast].destination AS q WITH (NOLOCK)
CROSS APPLY (
    SELECT 1 AS is_first, h.origin_id, h.enqueued_at
    FROM (SELECT TOP (10000) m.origin_id, m.enqueued_at
          FROM [readpast].message AS m WITH (NOLOCK, FORCESEEK (message_key (destination_id)))
          WHERE m.destination_id = q.destination_id
          ORDER BY m.priority_order, m.message_id) AS h
    UNION ALL
    SELECT 0, t.origin_id, t.enqueued_at
    FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS p (priority_order)
    CROSS APPLY (
        SELECT TOP (1000) m.origin_id, m.enqueued_at
        FROM [readpast].message AS m WITH (NOLOCK, FORCESEEK (message_key (destination_id, priority_order)))
        WHERE m.destination_id = q.destination_id AND m.priority_order = CAST(p.priority_order AS smallint)
        ORDER BY m.message_id DESC) AS t) AS f
LEFT JOIN [readpast].destination AS o WITH (NOLOCK) ON o.destination_id = f.origin_id
WHERE q.kind = N'Q' AND f.origin_id IS NOT NULL
GROUP BY q.name, q.destination_id, o.name
HAVING COUNT(CASE WHEN f.is_first = 1 OR f.enqueued_at > DATEADD(minute, -10, SYSUTCDATETIME()) THEN 1 END) > 0
ORDER BY q.name, o.name
OPTION (MAXDOP 1)
