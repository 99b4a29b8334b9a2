-- Who has had locks on something in this schema for a second, for whoever waits to change it.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT DISTINCT concat_ws(' ', nullif(a.application_name, ''), '(pid', a.pid || ',', a.usename, 'from', host(a.client_addr) || ',',
    a.state, 'since', to_char(a.state_change, 'HH24:MI:SS') || ')') AS holder
FROM pg_locks l
JOIN pg_class c ON c.oid = l.relation
JOIN pg_stat_activity a ON a.pid = l.pid
WHERE c.relnamespace = CAST('readpast' AS regnamespace)
  AND l.granted
  AND l.pid <> pg_backend_pid()
  AND a.xact_start < clock_timestamp() - interval '1 second'
ORDER BY 1
LIMIT 5
