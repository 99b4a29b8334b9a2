-- All registered JVMs, which of them were found without their lock, and where they hear datagrams.
-- Parameters: none
-- Index: a scan of a small table.
-- Locks: none; what is not committed is seen too. A JVM that stands still while it changes its row keeps nobody waiting.
SELECT instance, host, addresses, port, secret, CASE WHEN missing_since IS NULL THEN 0 ELSE 1 END AS missing
FROM [readpast].presence WITH (NOLOCK)
