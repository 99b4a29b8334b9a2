-- JVMs that are registered and were made for an older version of the schema.
-- Parameters: :schema_version
-- Index: a scan of a small table.
-- Locks: none that lasts.
SELECT instance, host, process, provider_version, schema_version
FROM readpast.presence
WHERE schema_version < :schema_version
ORDER BY started_at, instance
