-- As move_expired, for a queue with a history: notes in it that the message has expired. Its body is not noted, since the moved message,
-- of the same message_id, goes on having it.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id, :target (its name)
-- Index: primary key, one seek; readpast.destination by key; appends to the primary key of readpast.message_history for each queue.
-- Locks: the row, which is held already.
INSERT INTO readpast.message_history (
    completed_at /* include history_columns */, delivery_count, enqueued_at, outcome)
SELECT
    /* include now */ /* include history_columns */, delivery_count, enqueued_at, 'expired'
FROM OLD TABLE (
    /* include move_expired */)
