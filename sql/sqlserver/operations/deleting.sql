-- How many rows of the message table each session has exclusive locks on: rows that it has added, or received and not committed, which a look
-- without locks does not see. With optimized locking a session that has written something in this database has one lock of its transaction
-- instead, which does not say of which table.
-- Parameters: none
-- Index: none.
-- Locks: none.
-- Rights: in master GRANT VIEW SERVER STATE (SQL Server 2022: VIEW SERVER PERFORMANCE STATE; Azure SQL: VIEW DATABASE STATE), and GRANT VIEW DEFINITION ON [readpast].message
IF OBJECT_ID(N'[readpast].message') IS NULL
    THROW 50015, N'The login may not see the table of messages.', 1;
SELECT l.request_session_id AS session_id, COUNT_BIG(*) AS messages
FROM sys.dm_tran_locks AS l
LEFT JOIN sys.partitions AS p
    ON l.resource_type = N'KEY' AND p.hobt_id = l.resource_associated_entity_id
    AND p.object_id = OBJECT_ID(N'[readpast].message') AND p.index_id = 1
WHERE l.resource_database_id = DB_ID() AND l.request_mode = N'X'
  AND (p.hobt_id IS NOT NULL OR l.resource_type = N'XACT')
GROUP BY l.request_session_id
