-- Which version the schema has, which version a client must need at the least to use it, and up to which kinds and formats of bodies it
-- knows.
-- Parameters: none
-- Index: a scan of a small table.
-- Locks: none that lasts.
SELECT max(version) AS version, max(coalesce(oldest_client, version)) AS oldest_client,
       max(newest_kind) AS newest_kind, max(newest_format) AS newest_format
FROM readpast.schema_version
