-- One row if the schema has been installed: how its name is spelled.
-- Parameters: none
-- Index: the catalogue's own.
-- Locks: none.
SELECT schemaname AS spelled FROM pg_tables WHERE schemaname = 'readpast' AND tablename = 'schema_version'
