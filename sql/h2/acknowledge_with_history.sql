-- Deletes a claimed message of a queue with a history, and notes in it that it is completed. The caller compares the number of
-- deleted rows with the number of keys.
-- The highest number that there is is followed by 1.
-- Parameters: :destination_id, :priority_order, :message_id, :held_millis (for how long the consumer has had it; null where that is not
--   known), :consumer
-- The clock is read once, so that the times are in order; enqueued_at may have been rounded up.
-- Index: primary key, one seek; appends to that of readpast.message_history for each queue.
-- Locks: the deleted row, which the claim holds already.
INSERT INTO readpast.message_history (
    completed_at,
    claimed_at /* include history_columns */, body, delivery_count, enqueued_at, consumer, outcome)
SELECT
    /* include held_times */ /* include history_columns */, body, delivery_count % 2147483647 + 1, enqueued_at, :consumer, 'completed'
FROM (SELECT readpast.clock_millis() AS now_millis) AS c
CROSS JOIN OLD TABLE (
    /* include acknowledge */)
