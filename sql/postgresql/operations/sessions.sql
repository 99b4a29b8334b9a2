-- Sessions of this database that wait for a lock, and those with an open transaction: whom one waits for may have begun just now. blockers: whom a session waits for.
-- keeps_rows: whether VACUUM has to keep deleted rows for it, as for who has a snapshot or has written something; other VACUUMs are left out of account.
-- sees_all: whether the login may see what other users' sessions do; without it their rows say nothing.
-- Parameters: none
-- Index: none.
-- Locks: none; pg_blocking_pids stops the lock manager for a moment, for each session that waits.
-- Rights: GRANT pg_read_all_stats
SELECT a.pid AS session_id, CAST(a.usename AS varchar) AS login, a.application_name AS program, host(a.client_addr) AS host, a.backend_start AS login_at,
       a.xact_start AS since, a.state_change AS idle_since, a.state, left(a.query, 2000) AS statement,
       CASE WHEN a.wait_event_type = 'Lock' THEN array_to_string(pg_blocking_pids(a.pid), ',') END AS blockers,
       CASE WHEN a.backend_type = 'client backend' THEN 1 ELSE 0 END AS is_client,
       CASE WHEN (a.backend_xmin IS NOT NULL OR a.backend_xid IS NOT NULL)
                 AND NOT EXISTS (SELECT 1 FROM pg_stat_progress_vacuum v WHERE v.pid = a.pid) THEN 1 ELSE 0 END AS keeps_rows
FROM pg_stat_activity a
WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()
  AND (a.wait_event_type = 'Lock' OR a.xact_start IS NOT NULL)
ORDER BY a.xact_start
LIMIT 1000
