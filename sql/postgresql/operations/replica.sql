-- Whether this is a standby, whose sessions and locks are not those of the primary.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END AS is_replica
