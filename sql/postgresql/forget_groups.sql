-- Gives up those of these groups of a consumer that no transaction works with and no message waits of, and returns them.
-- Parameters: :destination_id, :consumer, :groups (a JSON array of group ids)
-- Index: primary key of readpast.message_group, message_members and delayed_message_members, one seek each for each group.
-- Locks: the deleted rows, without waiting.
SELECT * FROM readpast.forget_groups(:destination_id, :consumer, CAST(:groups AS json))
