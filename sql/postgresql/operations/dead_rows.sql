-- Dead rows of the message tables by the statistics, and when autovacuum last came.
-- Parameters: none
-- Index: the catalogue's own.
-- Locks: none.
SELECT CAST(s.relname AS varchar) AS table_name, s.n_live_tup AS live_rows, s.n_dead_tup AS dead_rows, s.last_autovacuum,
       CASE WHEN 'autovacuum_enabled=false' = ANY (c.reloptions) OR 'autovacuum_enabled=off' = ANY (c.reloptions)
                 OR current_setting('autovacuum') = 'off' THEN 1 ELSE 0 END AS is_off
FROM pg_stat_user_tables s
INNER JOIN pg_class c ON c.oid = s.relid
WHERE s.schemaname = 'readpast' AND s.relname IN ('message', 'delayed_message')
ORDER BY s.relname
