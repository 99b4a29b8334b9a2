-- Whether this session holds the lock that hold_presence took. A pooler that lends a session for one transaction puts another one in its
-- place without a word. pg_locks has the key in two halves.
-- Parameters: :resource (schema and instance)
-- Index: none.
-- Locks: none; looks for the advisory lock of the session.
SELECT EXISTS (
    SELECT 1 FROM pg_locks
    WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted AND objsubid = 1
      AND ((CAST(classid AS bigint) << 32) | CAST(objid AS bigint)) = hashtextextended(:resource, 0)) AS held
