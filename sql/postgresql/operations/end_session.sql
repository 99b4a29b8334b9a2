-- Ends a session, if it is still the one that was seen.
-- Parameters: :session_id, :login_key (both from client_sessions)
-- Index: none.
-- Locks: none.
-- Rights: GRANT pg_signal_backend; none for sessions of the same role
SELECT count(*) FILTER (WHERE pg_terminate_backend(a.pid)) AS done
FROM pg_stat_activity a
WHERE a.pid = :session_id AND CAST(a.backend_start AS text) = :login_key AND a.datname = current_database()
  AND a.backend_type = 'client backend' AND a.pid <> pg_backend_pid()
