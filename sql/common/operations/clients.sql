-- The JVMs that are connected, and those that others miss.
-- Parameters: none
-- Index: a scan of a small table.
-- Locks: none.
-- Rights: GRANT SELECT (instance, host, process, started_at, missing_since, provider_version, schema_version, reported_at, clock_millis, pool_open, pool_in_use, pool_waiting, waiting_seconds, listening_seconds, listening_to) ON readpast.presence
SELECT instance, host, process, started_at, missing_since, provider_version, schema_version,
    reported_at, clock_millis, pool_open, pool_in_use, pool_waiting, waiting_seconds, listening_seconds, listening_to
FROM readpast.presence
ORDER BY started_at, instance
