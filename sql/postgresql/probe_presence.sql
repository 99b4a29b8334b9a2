-- Tries the lock that shows that a JVM lives, and keeps it until the transaction ends; returns whether it was free.
-- Parameters: :resource (schema and instance)
-- Index: none.
-- Locks: a transaction-level advisory lock, without waiting.
SELECT pg_try_advisory_xact_lock(hashtextextended(:resource, 0)) AS granted
