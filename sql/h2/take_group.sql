-- Makes a consumer the one that gets the messages of a group, unless the group has one.
-- Parameters: :destination_id, :group_id, :consumer, :instance
-- Index: primary key of readpast.message_group.
-- Locks: the new row; waits for another that is taking or giving up the same, and may then fail with a duplicate key.
INSERT INTO readpast.message_group (destination_id, group_id, consumer, instance)
SELECT :destination_id, :group_id, :consumer, :instance
WHERE NOT EXISTS (
    SELECT 1 FROM readpast.message_group WHERE destination_id = :destination_id AND group_id = :group_id)
