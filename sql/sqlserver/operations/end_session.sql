-- Ends a session, if it is still the one that was seen, and returns whether it did. KILL takes a number and no variable. One that has just
-- ended by itself is error 6106. Without VIEW SERVER STATE a login would see no session but its own and get no error for that, so it reads
-- something that it is refused then.
-- Parameters: :session_id, :login_key (both from client_sessions)
-- Index: none.
-- Locks: none.
-- Rights: in master GRANT ALTER ANY CONNECTION (Azure SQL: GRANT KILL DATABASE CONNECTION), and what client_sessions needs
DECLARE @seen int, @kill nvarchar(40);
SET @seen = (SELECT COUNT(*) FROM sys.dm_os_sys_info);
SELECT @kill = CONCAT(N'KILL ', s.session_id)
FROM sys.dm_exec_sessions AS s
WHERE s.session_id = :session_id AND CAST(DATEDIFF_BIG(millisecond, '2000-01-01', s.login_time) AS nvarchar(20)) = :login_key
  AND s.is_user_process = 1 AND s.session_id <> @@SPID;
BEGIN TRY
    IF @kill IS NOT NULL
        EXECUTE (@kill);
END TRY
BEGIN CATCH
    IF ERROR_NUMBER() <> 6106
        THROW;
    SET @kill = NULL;
END CATCH;
SELECT CASE WHEN @kill IS NULL THEN 0 ELSE 1 END AS done
