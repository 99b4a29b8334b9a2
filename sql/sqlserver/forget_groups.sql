-- Gives up those of these groups of a consumer that no transaction works with and no message waits of, and returns them.
-- Parameters: :destination_id, :consumer, :groups (a JSON array of group ids)
-- Index: message_group_key, message_members and delayed_message_members, one seek each for each group.
-- Locks: X on the deleted rows, without waiting. Messages that are being deleted are passed over: whoever deletes them holds
--   the lock of their group.
DELETE g
OUTPUT deleted.group_id
FROM OPENJSON(:groups) WITH (id nvarchar(255) '$') AS k
INNER LOOP JOIN [readpast].message_group AS g WITH (READPAST, ROWLOCK, FORCESEEK (message_group_key (destination_id, group_id)))
    ON g.destination_id = :destination_id AND g.group_id = k.id COLLATE Latin1_General_100_BIN2
WHERE g.consumer = :consumer
  AND NOT EXISTS (
      SELECT 1
      FROM [readpast].message AS m
          WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_members (group_id, destination_id)))
      WHERE m.group_id = g.group_id AND m.destination_id = g.destination_id AND m.group_id IS NOT NULL)
  AND NOT EXISTS (
      SELECT 1
      FROM [readpast].delayed_message AS y
          WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (delayed_message_members (group_id, destination_id)))
      WHERE y.group_id = g.group_id AND y.destination_id = g.destination_id AND y.group_id IS NOT NULL)
