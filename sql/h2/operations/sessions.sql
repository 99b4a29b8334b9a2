-- Sessions of this database that wait for a lock, and those with a transaction that has changed something.
-- Parameters: none
-- Index: none.
-- Locks: none.
-- Rights: ALTER USER ... ADMIN TRUE
SELECT session_id, user_name AS login, client_info AS program, client_addr AS host, session_start AS login_at,
       CAST(NULL AS timestamp with time zone) AS since, CAST(NULL AS timestamp with time zone) AS idle_since, session_state AS state,
       executing_statement AS statement, CAST(blocker_id AS varchar) AS blockers, 1 AS is_client, 0 AS keeps_rows
FROM information_schema.sessions
WHERE session_id <> SESSION_ID() AND (blocker_id IS NOT NULL OR contains_uncommitted)
ORDER BY session_id
