-- Makes a consumer the one that gets the messages of a group, unless the group has one.
-- Parameters: :destination_id, :group_id, :consumer, :instance
-- Index: primary key of readpast.message_group.
-- Locks: the new row; waits for another that is taking or giving up the same.
INSERT INTO readpast.message_group (destination_id, group_id, consumer, instance)
VALUES (:destination_id, :group_id, :consumer, :instance)
ON CONFLICT (destination_id, group_id) DO NOTHING
