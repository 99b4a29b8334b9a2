-- The JVMs that are connected, and which pauses each keeps to.
-- Parameters: none
-- Index: a scan of a small table.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].presence (instance, host, process, started_at, missing_since, provider_version, schema_version, paused_queues)
SELECT instance, host, process, started_at, missing_since, provider_version, schema_version, paused_queues
FROM [readpast].presence WITH (NOLOCK)
ORDER BY started_at, instance
