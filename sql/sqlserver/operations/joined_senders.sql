-- The JVMs that have sent to a queue within transactions of their application's.
-- Parameters: :queue
-- Index: destination by kind and name; a scan of [readpast].presence, a small table.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].destination; GRANT SELECT ON [readpast].presence (instance, host, process, started_at, missing_since, joined_queues)
SELECT p.instance, p.host, p.process, p.started_at, p.missing_since
FROM [readpast].destination AS d WITH (NOLOCK)
JOIN [readpast].presence AS p WITH (NOLOCK) ON CONCAT(N' ', p.joined_queues, N' ') LIKE CONCAT(N'% ', d.destination_id, N' %')
WHERE d.kind = N'Q' AND d.name = :queue AND d.name_bytes = DATALENGTH(:queue)
ORDER BY p.started_at, p.instance
