-- How full each queue and subscription is. H2 counts all.
-- Parameters: none
-- Index: a scan of the key of message.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.message, readpast.destination
SELECT d.kind, d.name, d.destination_id, COUNT(m.message_id) AS depth, 0 AS at_least, MIN(m.enqueued_at) AS oldest_enqueued_at
FROM readpast.destination d
LEFT JOIN readpast.message m ON m.destination_id = d.destination_id
WHERE d.kind <> 'W'
GROUP BY d.kind, d.name, d.destination_id
ORDER BY d.name, d.kind
