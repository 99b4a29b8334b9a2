-- Gives up the groups that a JVM, or one consumer of it, has, but for those that a transaction works with.
-- Parameters: :instance, :consumer (null for any)
-- Index: message_group_consumer, a range.
-- Locks: the rows, without waiting.
DELETE FROM readpast.message_group
WHERE ctid = ANY (ARRAY(
    SELECT ctid
    FROM readpast.message_group
    WHERE instance = :instance AND (CAST(:consumer AS varchar(64)) IS NULL OR consumer = :consumer)
    FOR UPDATE SKIP LOCKED))
