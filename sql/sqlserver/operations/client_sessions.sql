-- The sessions that clients have in this database, but for the one that asks. login_key says with the number which session is meant.
-- Without VIEW SERVER STATE a login would see no session but its own and get no error for that, so it reads something that it is refused then.
-- Parameters: none
-- Index: none.
-- Locks: none.
-- Rights: in master GRANT VIEW SERVER STATE (SQL Server 2022: VIEW SERVER PERFORMANCE STATE; Azure SQL: VIEW DATABASE STATE)
DECLARE @seen int;
SET @seen = (SELECT COUNT(*) FROM sys.dm_os_sys_info);
SELECT s.session_id, s.login_name AS login, s.program_name AS program, s.host_name AS host,
       CAST(DATEDIFF_BIG(millisecond, '2000-01-01', s.login_time) AS nvarchar(20)) AS login_key,
       CASE WHEN s.login_time > '20000101' THEN DATEADD(second, -DATEDIFF(second, s.login_time, GETDATE()), SYSUTCDATETIME()) END AS login_at,
       CAST(NULL AS datetime2(3)) AS since, s.status AS state
FROM sys.dm_exec_sessions AS s
WHERE s.is_user_process = 1 AND s.database_id = DB_ID() AND s.session_id <> @@SPID
ORDER BY s.session_id
