-- How many rows of the message table each session has exclusive locks on: rows that it has added, or received and not committed, which a look
-- without locks does not see.
-- Parameters: none
-- Index: none.
-- Locks: none.
-- Rights: in master GRANT VIEW SERVER STATE (SQL Server 2022: VIEW SERVER PERFORMANCE STATE; Azure SQL: VIEW DATABASE STATE), and GRANT VIEW DEFINITION ON [readpast].message
SELECT l.request_session_id AS session_id, COUNT_BIG(*) AS messages
FROM sys.dm_tran_locks AS l
INNER JOIN sys.partitions AS p ON p.hobt_id = l.resource_associated_entity_id
WHERE l.resource_type = N'KEY' AND l.resource_database_id = DB_ID() AND l.request_mode = N'X'
  AND p.object_id = OBJECT_ID(N'[readpast].message') AND p.index_id = 1
GROUP BY l.request_session_id
