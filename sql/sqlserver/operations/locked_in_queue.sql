-- Which sessions have which messages of a queue in their transaction, among its first 10,000.
-- Parameters: :destination_id
-- Index: the key of message, 10,000 rows.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].locked_message, and in master GRANT VIEW SERVER STATE (SQL Server 2022: VIEW SERVER PERFORMANCE STATE; Azure SQL: VIEW DATABASE STATE), and GRANT VIEW DEFINITION ON [readpast].message
SELECT message_id, session_id, holder, host, process, login, since
FROM [readpast].locked_message
WHERE destination_id = :destination_id
