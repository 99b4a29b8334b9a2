-- Which version the schema has, and which version a client must need at the least to use it.
-- Parameters: none
-- Index: primary key of readpast.schema_version.
-- Locks: none that lasts.
SELECT max(version) AS version, max(coalesce(oldest_client, version)) AS oldest_client FROM readpast.schema_version
