-- Whether this is a readable secondary, whose sessions and locks are not those of the primary.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT CASE WHEN CAST(DATABASEPROPERTYEX(DB_NAME(), N'Updateability') AS nvarchar(128)) = N'READ_ONLY' THEN 1 ELSE 0 END AS is_replica
