-- The JVMs that have sent to a queue within transactions of their application's.
-- Parameters: :queue
-- Index: destination by kind and name; a scan of readpast.presence, a small table.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.destination; GRANT SELECT (instance, host, process, started_at, missing_since, joined_queues) ON readpast.presence
SELECT p.instance, p.host, p.process, p.started_at, p.missing_since
FROM readpast.destination d
JOIN readpast.presence p ON CONCAT(' ', p.joined_queues, ' ') LIKE CONCAT('% ', d.destination_id, ' %')
WHERE d.kind = 'Q' AND d.name = :queue
ORDER BY p.started_at, p.instance
