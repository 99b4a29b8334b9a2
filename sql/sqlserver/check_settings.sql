-- What of the database's and the tables' settings the start-up checks warn of: rows of a finding and the value that it is about.
-- The database is found by its name, since its id in sys.databases is not DB_ID() on Azure SQL. The catalogue's names and its words have
-- collations of their own, which a UNION refuses to mix.
-- Parameters: none
-- Index: the catalogue's own.
-- Locks: those of reading the catalogue.
SELECT N'DELAYED_DURABILITY' AS finding, CAST(delayed_durability_desc AS nvarchar(400)) COLLATE DATABASE_DEFAULT AS found
FROM sys.databases
WHERE name = DB_NAME() AND delayed_durability_desc = N'FORCED'
UNION ALL
SELECT N'LOCK_GRANULARITY', CONCAT(N'index ', i.name, N' of ', OBJECT_NAME(i.object_id)) COLLATE DATABASE_DEFAULT
FROM sys.indexes AS i
WHERE i.object_id IN (OBJECT_ID(N'[readpast].message'), OBJECT_ID(N'[readpast].delayed_message'), OBJECT_ID(N'[readpast].shared_body'))
  AND i.index_id > 0
  AND (i.allow_page_locks = 1 OR i.allow_row_locks = 0)
UNION ALL
SELECT N'LOCK_ESCALATION', CONCAT(N'table ', t.name) COLLATE DATABASE_DEFAULT
FROM sys.tables AS t
WHERE t.object_id IN (OBJECT_ID(N'[readpast].message'), OBJECT_ID(N'[readpast].delayed_message'), OBJECT_ID(N'[readpast].shared_body'))
  AND t.lock_escalation_desc <> N'DISABLE'
