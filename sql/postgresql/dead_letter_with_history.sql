-- As dead_letter, for a message of a queue with a history: notes in it what has become of the message. The body is not noted, since the
-- dead letter, of the same message_id, goes on having it.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id, :target (its name), :properties (JSON or null), :keep_properties (1 where it keeps its own), :deliveries (how many there were),
--   :held_millis (for how long the consumer has had it; null where that is not known), :consumer
-- Index: primary key, one seek; readpast.destination by key; appends to the primary key of readpast.message_history for each queue.
-- Locks: the row, without waiting.
WITH held AS (
    SELECT *
    /* include free_row */), kept AS (
    INSERT INTO readpast.message_history (
        completed_at /* include history_columns */, delivery_count, enqueued_at, claimed_at, consumer, outcome)
    SELECT
        statement_timestamp() /* include history_columns */, :deliveries, enqueued_at,
        statement_timestamp() - CAST(:held_millis AS int) * interval '1 millisecond', :consumer, 'dead letter'
    FROM held)
/* include dead_letter_held */
