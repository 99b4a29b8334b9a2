-- The sessions that clients have in this database, but for the one that asks. login_key says with the number which session is meant.
-- Parameters: none
-- Index: none.
-- Locks: none.
-- Rights: GRANT pg_read_all_stats
SELECT a.pid AS session_id, CAST(a.usename AS varchar) AS login, a.application_name AS program, host(a.client_addr) AS host,
       CAST(a.backend_start AS text) AS login_key, a.backend_start AS login_at, a.xact_start AS since, a.state
FROM pg_stat_activity a
WHERE a.datname = current_database() AND a.backend_type = 'client backend' AND a.pid <> pg_backend_pid()
ORDER BY a.pid
