-- The JVMs that are connected, and which pauses each keeps to.
-- Parameters: none
-- Index: a scan of a small table.
-- Locks: none.
-- Rights: GRANT SELECT (instance, host, process, started_at, missing_since, provider_version, schema_version, paused_queues) ON readpast.presence
SELECT instance, host, process, started_at, missing_since, provider_version, schema_version, paused_queues
FROM readpast.presence
ORDER BY started_at, instance
