-- Deletes a claimed message. The caller compares the number of deleted rows with the number of keys.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: primary key, one seek.
-- Locks: the deleted row, which the claim holds already.
DELETE FROM readpast.message
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
