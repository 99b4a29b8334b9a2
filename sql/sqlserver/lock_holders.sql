-- Who has locks on something in this schema, for whoever waits to change it. Needs VIEW SERVER STATE (SQL Server 2022: VIEW SERVER
-- PERFORMANCE STATE; Azure SQL: VIEW DATABASE STATE).
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT DISTINCT CONCAT(s.program_name, N' (session ', s.session_id, N', ', s.login_name, N' from ', s.host_name, N')') AS holder
FROM sys.dm_tran_locks AS l
INNER JOIN sys.objects AS o ON o.object_id = l.resource_associated_entity_id
INNER JOIN sys.dm_exec_sessions AS s ON s.session_id = l.request_session_id
WHERE l.resource_type = N'OBJECT'
  AND l.resource_database_id = DB_ID()
  AND l.request_status LIKE N'GRANT%'
  AND l.request_session_id <> @@SPID
  AND o.schema_id = SCHEMA_ID(N'readpast')
ORDER BY holder
