-- Ends a transaction of a client that is gone, unless it is at work: then it is left to end by itself.
-- Parameters: :transaction_id
-- Index: none.
-- Locks: none; the locks of that transaction are released.
SELECT pg_terminate_backend(pid)
FROM pg_stat_activity
WHERE backend_xid = CAST(CAST(:transaction_id AS xid8) AS xid) AND state LIKE 'idle in transaction%'
