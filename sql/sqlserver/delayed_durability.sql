-- Whether transactions of this database may commit without waiting for the disk.
-- The database is found by its name, since its id in sys.databases is not DB_ID() on Azure SQL.
-- Parameters: none
-- Index: the catalogue's own.
-- Locks: those of reading the catalogue.
SELECT CASE WHEN delayed_durability_desc = N'ALLOWED' THEN 1 ELSE 0 END AS is_allowed FROM sys.databases WHERE name = DB_NAME()
