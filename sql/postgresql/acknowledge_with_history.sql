-- Deletes claimed messages of queues with a history, and notes in it that they are completed. The caller compares the number of
-- deleted rows with the number of keys.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :held_millis (for how long
--   the consumer has had them; null where that is not known), :consumer
-- Index: primary key, one seek for each key; appends to that of readpast.message_history for each queue.
-- Locks: the deleted rows, which the claim holds already.
SELECT readpast.acknowledge_with_history(CAST(:keys AS json), :held_millis, :consumer)
