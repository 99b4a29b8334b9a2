-- Locks those of these groups that a consumer has and that no transaction works with, and returns them.
-- Parameters: :destination_id, :consumer, :groups (a JSON array of group ids)
-- Index: message_group_key, one seek for each group.
-- Locks: U on the rows returned until the transaction ends, without waiting.
SELECT k.id
FROM OPENJSON(:groups) WITH (id nvarchar(255) '$') AS k
INNER LOOP JOIN [readpast].message_group AS g WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_group_key (destination_id, group_id)))
    ON g.destination_id = :destination_id AND g.group_id = k.id COLLATE Latin1_General_100_BIN2
WHERE g.consumer = :consumer
