-- The groups that a JVM, or one consumer of it, has.
-- Parameters: :instance, :consumer (null for any)
-- Index: message_group_consumer.
-- Locks: none.
SELECT destination_id, group_id, consumer
FROM readpast.message_group
WHERE instance = :instance AND (CAST(:consumer AS varchar(64)) IS NULL OR consumer = :consumer)
