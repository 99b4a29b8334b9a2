-- Says which pauses this JVM keeps to.
-- Parameters: :paused_queues (null for none), :instance
-- Index: primary key of [readpast].presence.
-- Locks: the row.
UPDATE [readpast].presence SET paused_queues = :paused_queues WHERE instance = :instance
