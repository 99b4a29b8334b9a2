-- Sessions that wait for another one, those that another one waits for, and those with an open transaction that has to do with this database: since
-- is null for others. Login, program and host may have the server's collation, and are not compared with anything. A session that is just logging in
-- has a time of 1900, from which seconds are too many for an int. state: rollback where a request is rolled back, as after KILL. blockers: 0 is a
-- distributed transaction that no session has any more (-2), and -3 one that the server could not recover; -4 and -5 are of latches and say nothing.
-- keeps_rows: whether the database keeps versions of rows that are deleted, which it does for the oldest transaction.
-- Parameters: none
-- Index: none.
-- Locks: none.
-- Rights: in master GRANT VIEW SERVER STATE (SQL Server 2022: VIEW SERVER PERFORMANCE STATE; Azure SQL: VIEW DATABASE STATE)
SELECT s.session_id, s.login_name AS login, s.program_name AS program, s.host_name AS host,
       CASE WHEN s.login_time > '20000101' THEN DATEADD(second, -DATEDIFF(second, s.login_time, GETDATE()), SYSUTCDATETIME()) END AS login_at,
       DATEADD(second, -DATEDIFF(second, t.transaction_begin_time, GETDATE()), SYSUTCDATETIME()) AS since,
       CASE WHEN s.last_request_end_time > '20000101' THEN DATEADD(second, -DATEDIFF(second, s.last_request_end_time, GETDATE()), SYSUTCDATETIME()) END AS idle_since,
       CASE WHEN r.command = N'KILLED/ROLLBACK' OR r.status = N'rollback' THEN N'rollback' ELSE s.status END AS state,
       r.command AS statement,
       CASE WHEN r.blocking_session_id = -2 THEN N'0'
            WHEN r.blocking_session_id = -3 OR r.blocking_session_id > 0 THEN CAST(r.blocking_session_id AS nvarchar(20)) END AS blockers,
       CASE WHEN s.is_user_process = 1 THEN 1 ELSE 0 END AS is_client,
       CASE WHEN EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.name = DB_NAME()
                         AND (d.is_read_committed_snapshot_on = 1 OR d.snapshot_isolation_state <> 0)) THEN 1 ELSE 0 END AS keeps_rows
FROM sys.dm_exec_sessions AS s
LEFT JOIN sys.dm_exec_requests AS r ON r.session_id = s.session_id
LEFT JOIN sys.dm_tran_session_transactions AS x ON x.session_id = s.session_id
LEFT JOIN sys.dm_tran_database_transactions AS h ON h.transaction_id = x.transaction_id AND h.database_id = DB_ID()
LEFT JOIN sys.dm_tran_active_transactions AS t ON t.transaction_id = h.transaction_id
WHERE s.session_id <> @@SPID
  AND (r.blocking_session_id IN (-2, -3) OR r.blocking_session_id > 0 OR t.transaction_id IS NOT NULL
      OR EXISTS (SELECT 1 FROM sys.dm_exec_requests AS w WHERE w.blocking_session_id = s.session_id))
ORDER BY t.transaction_begin_time
