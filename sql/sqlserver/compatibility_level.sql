-- The database's compatibility level.
-- Parameters: none
-- Index: the catalogue's own.
-- Locks: those of reading the catalogue.
SELECT compatibility_level FROM sys.databases WHERE name = DB_NAME()
