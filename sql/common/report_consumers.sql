-- What a JVM tells of its consumers of a destination.
-- Parameters: :open_consumers, :stopped_consumers (of connections that are not started), :selective_consumers (with a selector), :selector
--   (one of theirs, or null), :instance, :destination_id
-- Index: primary key of readpast.consumed_destination.
-- Locks: the row.
UPDATE readpast.consumed_destination
SET open_consumers = :open_consumers, stopped_consumers = :stopped_consumers, selective_consumers = :selective_consumers,
    selector = :selector
WHERE instance = :instance AND destination_id = :destination_id
