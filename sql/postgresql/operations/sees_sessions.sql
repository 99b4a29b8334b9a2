-- Whether this login may see what other users' sessions do.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT CASE WHEN pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') THEN 1 ELSE 0 END AS sees_all
