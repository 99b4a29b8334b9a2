-- What became of a transaction: committed, aborted, in progress; null where it is too long ago. Fails with 22023 if the server has not
-- given out such an id.
-- Parameters: :transaction_id
-- Index: none.
-- Locks: none.
SELECT pg_xact_status(CAST(:transaction_id AS xid8)) AS status
