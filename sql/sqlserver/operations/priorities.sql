-- The first message of each priority, and since when it waits.
-- Parameters: none
-- Index: the key of message, ten seeks for each queue.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].message (destination_id, priority_order, message_id, enqueued_at, expires_at); GRANT SELECT ON [readpast].destination
SELECT d.destination_id, p.priority_order, f.message_id, f.enqueued_at, f.expires_at
FROM [readpast].destination AS d WITH (NOLOCK)
CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS p (priority_order)
CROSS APPLY (
    SELECT TOP (1) m.message_id, m.enqueued_at, m.expires_at
    FROM [readpast].message AS m WITH (NOLOCK, FORCESEEK (message_key (destination_id, priority_order)))
    WHERE m.destination_id = d.destination_id AND m.priority_order = CAST(p.priority_order AS smallint)
    ORDER BY m.message_id) AS f
ORDER BY d.destination_id, p.priority_order
OPTION (MAXDOP 1)
