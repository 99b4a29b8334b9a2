-- Whether a JVM, or one consumer of it, has groups: one row, or none.
-- Parameters: :instance, :consumer (null for any)
-- Index: message_group_consumer.
-- Locks: none that lasts.
SELECT 1
FROM readpast.message_group
WHERE instance = :instance AND (CAST(:consumer AS varchar(64)) IS NULL OR consumer = :consumer)
LIMIT 1
