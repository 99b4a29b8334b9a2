-- Waits for the right to run schema scripts, until the transaction ends.
-- Parameters: :resource (the schema)
-- Index: none.
-- Locks: a transaction-level advisory lock.
SELECT CAST(pg_advisory_xact_lock(hashtextextended(:resource, 0)) AS text)
