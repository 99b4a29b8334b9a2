-- What keeps VACUUM from removing deleted messages, for the start-up checks: rows of a finding and the value that it is about. Without
-- the right to see other users' sessions only one's own are seen.
-- Parameters: :age_millis (from what age on a transaction is an old one)
-- Index: none.
-- Locks: none.
SELECT 'OLD_TRANSACTION' AS finding,
       count(*) || ', the oldest since ' || date_trunc('second', min(xact_start)) || ' by pid '
           || (array_agg(pid ORDER BY xact_start))[1] AS found
FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
  AND xact_start < statement_timestamp() - CAST(:age_millis AS bigint) * INTERVAL '1 millisecond'
HAVING count(*) > 0
UNION ALL
SELECT 'REPLICATION_SLOT', string_agg(slot_name, ', ' ORDER BY slot_name)
FROM pg_replication_slots
WHERE NOT active AND (xmin IS NOT NULL OR restart_lsn IS NOT NULL)
HAVING count(*) > 0
UNION ALL
SELECT 'IN_DOUBT', count(*) || ', the oldest since ' || date_trunc('second', min(prepared))
           || ' (' || array_to_string((array_agg(gid ORDER BY prepared))[1:5], ', ')
           || CASE WHEN count(*) > 5 THEN ', ...)' ELSE ')' END
FROM pg_prepared_xacts
WHERE database = current_database()
  AND prepared < statement_timestamp() - CAST(:age_millis AS bigint) * INTERVAL '1 millisecond'
HAVING count(*) > 0
