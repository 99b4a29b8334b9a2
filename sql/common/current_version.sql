-- Which version the schema has.
-- Parameters: none
-- Index: primary key of readpast.schema_version.
-- Locks: none that lasts.
SELECT max(version) AS version FROM readpast.schema_version
