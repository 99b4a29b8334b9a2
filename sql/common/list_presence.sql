-- All registered JVMs, and which of them were found without their lock.
-- Parameters: none
-- Index: a scan of a small table.
-- Locks: none that lasts.
SELECT instance, CASE WHEN missing_since IS NULL THEN 0 ELSE 1 END AS missing FROM readpast.presence
