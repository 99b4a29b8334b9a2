-- Locks a group, if the consumer has it and no transaction works with it.
-- Parameters: :destination_id, :group_id, :consumer
-- Index: primary key of readpast.message_group, one seek.
-- Locks: FOR UPDATE on the row until the transaction ends, without waiting.
SELECT group_id
FROM readpast.message_group
WHERE destination_id = :destination_id AND group_id = :group_id AND consumer = :consumer
FOR UPDATE SKIP LOCKED
