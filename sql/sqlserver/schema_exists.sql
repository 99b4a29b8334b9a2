-- One row if the schema has been installed: how its name is spelled.
-- Parameters: none
-- Index: the catalogue's own.
-- Locks: none.
SELECT OBJECT_SCHEMA_NAME(OBJECT_ID(N'[readpast].schema_version', N'U')) AS spelled
WHERE OBJECT_ID(N'[readpast].schema_version', N'U') IS NOT NULL
