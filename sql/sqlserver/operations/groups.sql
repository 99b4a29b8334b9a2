-- Who gets the messages of which group, and how many of them wait, counted up to 1,000. The group '' of an exclusive queue is all its messages.
-- Parameters: none
-- Index: a scan of message_group; message_members, 1,001 rows for each group.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].message_group; GRANT SELECT ON [readpast].presence (instance, host, process, missing_since); GRANT SELECT ON [readpast].destination; GRANT SELECT ON [readpast].message (destination_id, group_id, enqueued_at)
SELECT d.kind, d.name, g.destination_id, g.group_id, g.consumer, g.instance, p.host, p.process, p.missing_since, g.taken_at,
       w.waiting, w.oldest_enqueued_at
FROM [readpast].message_group AS g WITH (NOLOCK)
INNER JOIN [readpast].destination AS d WITH (NOLOCK) ON d.destination_id = g.destination_id
LEFT JOIN [readpast].presence AS p WITH (NOLOCK) ON p.instance = g.instance
CROSS APPLY (
    SELECT COUNT(*) AS waiting, MIN(f.enqueued_at) AS oldest_enqueued_at
    FROM (SELECT TOP (1001) m.enqueued_at FROM [readpast].message AS m WITH (NOLOCK)
          WHERE m.destination_id = g.destination_id AND m.group_id = g.group_id AND g.group_id <> N''
          ORDER BY m.priority_order, m.message_id) AS f) AS w
ORDER BY w.oldest_enqueued_at, d.name, g.group_id
OPTION (MAXDOP 1)
