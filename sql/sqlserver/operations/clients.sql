-- The JVMs that are connected, and those that others miss.
-- Parameters: none
-- Index: a scan of a small table.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].presence (instance, host, process, started_at, missing_since, provider_version, schema_version)
SELECT instance, host, process, started_at, missing_since, provider_version, schema_version
FROM [readpast].presence WITH (NOLOCK)
ORDER BY started_at, instance
