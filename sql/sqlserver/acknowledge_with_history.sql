-- Deletes claimed messages of queues with a history, and notes in it that they are completed. The caller compares the number of
-- deleted rows with the number of keys.
-- The highest number that there is is followed by 1.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :held_millis (for how long
--   the consumer has had them; null where that is not known), :consumer
-- Index: message_key, one seek for each key; appends to message_history_key for each queue.
-- Locks: X on the deleted rows, which the claim holds already.
DELETE m
OUTPUT
    SYSUTCDATETIME() /* include deleted_history_columns */, deleted.body, deleted.delivery_count % 2147483647 + 1, deleted.enqueued_at,
    DATEADD(millisecond, -CAST(:held_millis AS int), SYSUTCDATETIME()), :consumer, N'completed'
INTO [readpast].message_history (
    completed_at /* include history_columns */, body, delivery_count, enqueued_at, claimed_at, consumer, outcome)
/* include claimed_rows */
