-- Deletes an expired message of a queue with a history, and notes that in it; the row is locked before with lock_message.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: primary key, one seek; appends to that of readpast.message_history for each queue.
-- Locks: the row, which is held already.
INSERT INTO readpast.message_history (
    completed_at /* include history_columns */, body, delivery_count, enqueued_at, outcome)
SELECT
    /* include now */ /* include history_columns */, body, delivery_count, enqueued_at, 'expired'
FROM OLD TABLE (
    /* include acknowledge */)
