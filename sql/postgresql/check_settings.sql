-- What of the database's settings the start-up checks warn of: rows of a finding and the value that it is about. reset_val is what
-- holds for a connection that has just been opened, whatever its pool has set since.
-- Parameters: none
-- Index: none.
-- Locks: none.
WITH setting AS (SELECT name, reset_val, unit FROM pg_settings)
SELECT 'FSYNC' AS finding, reset_val AS found FROM setting WHERE name = 'fsync' AND reset_val = 'off'
UNION ALL
SELECT 'SYNCHRONOUS_COMMIT', reset_val FROM setting WHERE name = 'synchronous_commit' AND reset_val = 'off'
UNION ALL
SELECT 'AUTOVACUUM', reset_val FROM setting WHERE name IN ('autovacuum', 'track_counts') AND reset_val = 'off'
UNION ALL
SELECT 'STATEMENT_TIMEOUT', name || ' = ' || reset_val || ' ' || unit
FROM setting
WHERE name IN ('statement_timeout', 'lock_timeout') AND CAST(reset_val AS bigint) BETWEEN 1 AND 29999
UNION ALL
SELECT 'TRANSACTION_TIMEOUT', name || ' = ' || reset_val || ' ' || unit
FROM setting
WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout') AND CAST(reset_val AS bigint) BETWEEN 1 AND 599999
