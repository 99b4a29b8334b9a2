-- One row if the schema has been installed.
-- Parameters: none
-- Index: the catalogue's own.
-- Locks: none.
SELECT 1 AS found WHERE OBJECT_ID(N'[readpast].schema_version', N'U') IS NOT NULL
