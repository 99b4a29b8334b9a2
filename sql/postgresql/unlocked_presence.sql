-- The JVMs whose lock nobody holds, as far as this server knows; it is to be tried then. pg_locks has the key in two halves, and the locks of
-- all databases.
-- Parameters: :resource (schema, what comes before each instance)
-- Index: none; readpast.presence is a small table.
-- Locks: none; looks for the advisory locks of all sessions.
SELECT p.instance
FROM readpast.presence p
WHERE NOT EXISTS (
    SELECT 1 FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND ((CAST(l.classid AS bigint) << 32) | CAST(l.objid AS bigint)) = hashtextextended(:resource || p.instance, 0))
