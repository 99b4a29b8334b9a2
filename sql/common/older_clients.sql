-- JVMs that are registered and were made for an older version of the schema: 0 where their release did not write one yet.
-- Parameters: :schema_version
-- Index: a scan of a small table.
-- Locks: none that lasts.
SELECT instance, host, process, provider_version, COALESCE(schema_version, 0) AS schema_version
FROM readpast.presence
WHERE COALESCE(schema_version, 0) < :schema_version
ORDER BY started_at, instance
