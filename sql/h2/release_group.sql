-- Gives up a group, which is locked.
-- Parameters: :destination_id, :group_id
-- Index: primary key of readpast.message_group.
-- Locks: the row.
DELETE FROM readpast.message_group WHERE destination_id = :destination_id AND group_id = :group_id
