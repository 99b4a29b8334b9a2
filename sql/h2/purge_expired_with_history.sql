-- Deletes an expired message of a queue with a history, and notes that in it; the row is locked before with lock_message.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: primary key, one seek; appends to that of readpast.message_history for each queue.
-- Locks: the row, which is held already.
INSERT INTO readpast.message_history (
    completed_at,
    destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id, properties,
    body_kind, body_format, body_length, body, delivery_count, enqueued_at, outcome)
SELECT
    DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'),
    destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id, properties,
    body_kind, body_format, body_length, body, delivery_count, enqueued_at, 'expired'
FROM OLD TABLE (
    DELETE FROM readpast.message
    WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id)
