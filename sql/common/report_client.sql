-- What a JVM tells of itself.
-- Parameters: :clock_millis (its clock), :pool_open, :pool_in_use and :pool_waiting (null where the pool is not its own), :waiting_seconds,
--   :listening_seconds and :listening_to (null where no listener is at work),
--   :joined_queues (null for none), :instance
-- Index: primary key of readpast.presence.
-- Locks: the row.
UPDATE readpast.presence
SET reported_at = /* include now */, clock_millis = :clock_millis, pool_open = :pool_open, pool_in_use = :pool_in_use,
    pool_waiting = :pool_waiting, waiting_seconds = :waiting_seconds, listening_seconds = :listening_seconds,
    listening_to = :listening_to, joined_queues = :joined_queues
WHERE instance = :instance
