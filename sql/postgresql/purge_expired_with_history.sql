-- Deletes messages that have expired of one queue with a history, the oldest first, and notes that in it.
-- Parameters: :destination_id, :max
-- Index: message_expiry from its start; primary key, one seek for each row; appends to that of readpast.message_history for each queue.
-- Locks: the deleted rows; rows that others hold are stepped over.
WITH doomed AS (
    SELECT destination_id, priority_order, message_id
    FROM readpast.message
    WHERE expires_at <= statement_timestamp() AND destination_id = :destination_id
    ORDER BY expires_at
    LIMIT :max
    FOR UPDATE SKIP LOCKED), gone AS (
    DELETE FROM readpast.message m
    USING doomed h
    WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
    RETURNING m.*)
INSERT INTO readpast.message_history (
    completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
    properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, outcome)
SELECT
    statement_timestamp(), destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
    properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, 'expired'
FROM gone
