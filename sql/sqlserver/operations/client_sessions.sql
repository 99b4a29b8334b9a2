-- The sessions that clients have in this database, but for the one that asks. login_key says with the number which session is meant.
-- Parameters: none
-- Index: none.
-- Locks: none.
-- Rights: in master GRANT VIEW SERVER STATE (SQL Server 2022: VIEW SERVER PERFORMANCE STATE; Azure SQL: VIEW DATABASE STATE)
SELECT s.session_id, s.login_name AS login, s.program_name AS program, s.host_name AS host,
       CAST(DATEDIFF_BIG(millisecond, '2000-01-01', s.login_time) AS nvarchar(20)) AS login_key,
       DATEADD(second, -DATEDIFF(second, s.login_time, GETDATE()), SYSUTCDATETIME()) AS login_at,
       CAST(NULL AS datetime2(3)) AS since, s.status AS state
FROM sys.dm_exec_sessions AS s
WHERE s.is_user_process = 1 AND s.database_id = DB_ID() AND s.session_id <> @@SPID
ORDER BY s.session_id
