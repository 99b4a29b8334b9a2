-- One row if the schema has been installed.
-- Parameters: none
-- Index: the catalogue's own.
-- Locks: none.
SELECT 1 FROM pg_tables WHERE schemaname = 'readpast' AND tablename = 'schema_version'
