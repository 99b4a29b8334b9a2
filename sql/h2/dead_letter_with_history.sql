-- As dead_letter, for a message of a queue with a history: notes in it what has become of the message. The body is not noted, since the
-- dead letter, of the same message_id, goes on having it.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id, :target (its name), :properties (JSON or null), :keep_properties (1 where it keeps its own), :deliveries (how many there were),
--   :held_millis (for how long the consumer has had it; null where that is not known), :consumer
-- The clock is read once, so that the times are in order; enqueued_at may have been rounded up.
-- Index: primary key, one seek; readpast.destination by key; appends to the primary key of readpast.message_history for each queue.
-- Locks: the row, which is held already.
INSERT INTO readpast.message_history (
    completed_at,
    claimed_at /* include history_columns */, delivery_count, enqueued_at, consumer, outcome)
SELECT
    /* include held_times */ /* include history_columns */, CAST(:deliveries AS INT), enqueued_at, :consumer, 'dead letter'
FROM (SELECT readpast.clock_millis() AS now_millis) AS c
CROSS JOIN OLD TABLE (
    /* include dead_letter */)
