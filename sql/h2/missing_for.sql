-- One row if a JVM has been without its lock for some time.
-- Parameters: :instance, :grace_millis
-- Index: primary key of readpast.presence.
-- Locks: none that lasts.
SELECT instance FROM readpast.presence
WHERE instance = :instance
  AND missing_since <= DATEADD('MILLISECOND', readpast.clock_millis() + (-1 * CAST(:grace_millis AS BIGINT)), /* include epoch */)
