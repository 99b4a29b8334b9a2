-- What of the state of the message tables the start-up checks warn of: rows of a finding and the value that it is about. A page has
-- room for four rows at least, since long ones are stored elsewhere; what is known of pages and rows is from the last VACUUM, of
-- dead rows from the statistics.
-- Parameters: none
-- Index: the catalogue's own.
-- Locks: none.
WITH tables AS (
    SELECT c.oid, c.relname, c.relpages, c.reltuples, c.reloptions
    FROM pg_class c
    WHERE c.relnamespace = CAST('readpast' AS regnamespace) AND c.relname IN ('message', 'delayed_message'))
SELECT 'BLOAT' AS finding, relname || ': ' || relpages || ' pages, ' || CAST(reltuples AS bigint) || ' rows' AS found
FROM tables
WHERE reltuples >= 0 AND relpages > 1000 + reltuples
UNION ALL
SELECT 'DEAD_ROWS', t.relname || ': ' || s.n_dead_tup || ' dead rows, ' || s.n_live_tup || ' live ones'
FROM tables t
INNER JOIN pg_stat_user_tables s ON s.relid = t.oid
WHERE s.n_dead_tup > 50000 AND s.n_dead_tup > 5 * s.n_live_tup
UNION ALL
SELECT 'AUTOVACUUM', 'table ' || relname || ': off'
FROM tables
WHERE 'autovacuum_enabled=false' = ANY (reloptions) OR 'autovacuum_enabled=off' = ANY (reloptions)
UNION ALL
SELECT 'DISTRIBUTED', string_agg(t.relname, ', ' ORDER BY t.relname)
FROM tables t
INNER JOIN pg_trigger g ON g.tgrelid = t.oid
INNER JOIN pg_proc p ON p.oid = g.tgfoid
WHERE p.proname = 'citus_truncate_trigger'
HAVING count(*) > 0
