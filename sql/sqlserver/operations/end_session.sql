-- Ends a session, if it is still the one that was seen. KILL takes a number and no variable.
-- Parameters: :session_id, :login_key (both from client_sessions)
-- Index: none.
-- Locks: none.
-- Rights: in master GRANT ALTER ANY CONNECTION (Azure SQL: GRANT KILL DATABASE CONNECTION), and what client_sessions needs
DECLARE @kill nvarchar(40);
SELECT @kill = CONCAT(N'KILL ', s.session_id)
FROM sys.dm_exec_sessions AS s
WHERE s.session_id = :session_id AND CAST(DATEDIFF_BIG(millisecond, '2000-01-01', s.login_time) AS nvarchar(20)) = :login_key
  AND s.is_user_process = 1 AND s.session_id <> @@SPID;
IF @kill IS NOT NULL
    EXECUTE (@kill);
SELECT CASE WHEN @kill IS NULL THEN 0 ELSE 1 END AS done
