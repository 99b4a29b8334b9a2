-- Locks those of these groups that a consumer has and that no transaction works with, and returns them.
-- Parameters: :destination_id, :consumer, :groups (a JSON array of group ids)
-- Index: primary key of readpast.message_group, one seek for each group.
-- Locks: FOR UPDATE on the rows returned until the transaction ends, without waiting.
SELECT * FROM readpast.lock_groups(:destination_id, :consumer, CAST(:groups AS json))
