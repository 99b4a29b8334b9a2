-- Which connected JVMs have made a consumer for which destination, and what they have told of it since.
-- Parameters: none
-- Index: a scan of two small tables; the key of [readpast].destination.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].consumed_destination; GRANT SELECT ON [readpast].presence (instance, host, process, started_at, missing_since); GRANT SELECT ON [readpast].destination
SELECT d.kind, d.name, c.destination_id, c.instance, p.host, p.process, p.started_at, p.missing_since,
    c.open_consumers, c.stopped_consumers, c.selective_consumers, c.selector
FROM [readpast].consumed_destination AS c WITH (NOLOCK)
INNER JOIN [readpast].presence AS p WITH (NOLOCK) ON p.instance = c.instance
INNER JOIN [readpast].destination AS d WITH (NOLOCK) ON d.destination_id = c.destination_id
ORDER BY d.name, p.started_at, c.instance
