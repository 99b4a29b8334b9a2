-- Deletes claimed messages of queues with a history, and notes in it that they are completed. The caller compares the number of
-- deleted rows with the number of keys.
-- Parameters: :keys (an array of runs: destination_id, priority_order, the number of message_ids, and these in ascending order),
--   :held_millis (for how long the consumer has had them; null where that is not known), :consumer
-- Index: primary key, one seek for each key; appends to that of readpast.message_history for each queue.
-- Locks: the deleted rows, which the claim holds already.
SELECT readpast.acknowledge_with_history(CAST(:keys AS bigint[]), :held_millis, :consumer)
