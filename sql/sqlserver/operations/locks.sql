-- Which sessions have messages of which queue in their transaction, among the first 10,000 of each queue.
-- Parameters: none
-- Index: message_key, 10,000 rows for each queue.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].locked_message, and in master GRANT VIEW SERVER STATE (SQL Server 2022: VIEW SERVER PERFORMANCE STATE; Azure SQL: VIEW DATABASE STATE), and GRANT VIEW DEFINITION ON [readpast].message
SELECT kind, name, destination_id, session_id, holder, host, process, login, COUNT(*) AS messages, MIN(since) AS since
FROM [readpast].locked_message
GROUP BY kind, name, destination_id, session_id, holder, host, process, login
ORDER BY MIN(since), name
OPTION (MAXDOP 1)
