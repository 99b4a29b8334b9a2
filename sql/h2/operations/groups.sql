-- Who gets the messages of which group, and how many of them wait. The group '' of an exclusive queue is all its messages.
-- Parameters: none
-- Index: a scan of message_group; the members' index.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.message_group, readpast.destination, SELECT (instance, host, process, missing_since) ON readpast.presence, SELECT ON readpast.message
SELECT d.kind, d.name, g.destination_id, g.group_id, g.consumer, g.instance, p.host, p.process, p.missing_since, g.taken_at,
       COUNT(m.message_id) AS waiting, MIN(m.enqueued_at) AS oldest_enqueued_at
FROM readpast.message_group g
INNER JOIN readpast.destination d ON d.destination_id = g.destination_id
LEFT JOIN readpast.presence p ON p.instance = g.instance
LEFT JOIN readpast.message m ON m.destination_id = g.destination_id AND m.group_id = g.group_id
GROUP BY d.kind, d.name, g.destination_id, g.group_id, g.consumer, g.instance, p.host, p.process, p.missing_since, g.taken_at
ORDER BY d.name, g.group_id
FETCH FIRST 10000 ROWS ONLY
