-- Gives up a group, which is locked, unless messages of it wait.
-- Parameters: :destination_id, :group_id
-- Index: primary key of readpast.message_group; message_members and delayed_message_members, one seek each.
-- Locks: the row.
DELETE FROM readpast.message_group
WHERE destination_id = :destination_id AND group_id = :group_id
  AND NOT EXISTS (
      SELECT 1 FROM readpast.message WHERE group_id = :group_id AND destination_id = :destination_id)
  AND NOT EXISTS (
      SELECT 1 FROM readpast.delayed_message WHERE group_id = :group_id AND destination_id = :destination_id)
