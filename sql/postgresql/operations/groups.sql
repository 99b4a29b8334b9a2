-- Who gets the messages of which group, and how many of them wait, counted up to 1,000. The group '' of an exclusive queue is all its messages.
-- Parameters: none
-- Index: a scan of message_group; message_members, 1,001 rows for each group.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.message_group, readpast.destination, SELECT (instance, host, process, missing_since) ON readpast.presence, SELECT (destination_id, group_id, enqueued_at) ON readpast.message
SELECT d.kind, d.name, g.destination_id, g.group_id, g.consumer, g.instance, p.host, p.process, p.missing_since, g.taken_at,
       w.waiting, w.oldest_enqueued_at
FROM readpast.message_group g
INNER JOIN readpast.destination d ON d.destination_id = g.destination_id
LEFT JOIN readpast.presence p ON p.instance = g.instance
CROSS JOIN LATERAL (
    SELECT COUNT(*) AS waiting, MIN(f.enqueued_at) AS oldest_enqueued_at
    FROM (SELECT m.enqueued_at FROM readpast.message m
          WHERE m.destination_id = g.destination_id AND m.group_id = g.group_id AND g.group_id <> ''
          LIMIT 1001) f) w
ORDER BY w.oldest_enqueued_at, d.name, g.group_id
LIMIT 10000
