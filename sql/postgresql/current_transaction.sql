-- What tells the transaction of this connection from any other: backend and start, in microseconds.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT pg_backend_pid() || ':' || CAST(extract(epoch FROM transaction_timestamp()) * 1000000 AS bigint) AS transaction_name
