-- Deletes messages that have expired of one queue with a history, the oldest first, and notes that in it.
-- Parameters: :destination_id, :max
-- Index: message_expiry from its start; primary key, one seek for each row; appends to that of readpast.message_history for each queue.
-- Locks: the deleted rows; rows that others hold are stepped over.
WITH doomed AS (
    SELECT destination_id, priority_order, message_id
    /* include free_expired */), gone AS (
    DELETE FROM readpast.message m
    USING doomed h
    WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
    RETURNING m.*)
INSERT INTO readpast.message_history (
    completed_at /* include history_columns */, body, delivery_count, enqueued_at, outcome)
SELECT
    statement_timestamp() /* include history_columns */, body, delivery_count, enqueued_at, 'expired'
FROM gone
