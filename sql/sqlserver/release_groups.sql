-- Gives up the groups that a JVM, or one consumer of it, has, but for those that a transaction works with. The look-up is by
-- one index and the lock by the other, the key that those transactions have locked: so READPAST finds them.
-- Parameters: :instance, :consumer (null for any)
-- Index: message_group_consumer, a range; message_group_key, one seek for each group.
-- Locks: X on the deleted rows, without waiting.
DELETE g
FROM (SELECT destination_id, group_id
      FROM [readpast].message_group WITH (READCOMMITTEDLOCK, INDEX (message_group_consumer))
      WHERE instance = :instance
        AND (CAST(:consumer AS nvarchar(64)) IS NULL OR consumer = :consumer)) AS k
INNER LOOP JOIN [readpast].message_group AS g WITH (READPAST, ROWLOCK, FORCESEEK (message_group_key (destination_id, group_id)))
    ON g.destination_id = k.destination_id AND g.group_id = k.group_id
WHERE g.instance = :instance
