-- Takes the lock that shows that a JVM lives, for as long as its session does; returns whether it was free.
-- Parameters: :resource (schema and instance)
-- Index: none.
-- Locks: a session-level advisory lock, without waiting.
SELECT pg_try_advisory_lock(hashtextextended(:resource, 0)) AS granted
