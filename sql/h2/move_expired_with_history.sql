-- As move_expired, for a queue with a history: notes in it that the message has expired. Its body is not noted, since the moved message,
-- of the same message_id, goes on having it.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id
-- Index: primary key, one seek; readpast.destination by key; appends to the primary key of readpast.message_history for each queue.
-- Locks: the row, which is held already.
INSERT INTO readpast.message_history (
    completed_at,
    destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id, properties,
    body_kind, body_format, body_length, delivery_count, enqueued_at, outcome)
SELECT
    DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'),
    destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id, properties,
    body_kind, body_format, body_length, delivery_count, enqueued_at, 'expired'
FROM OLD TABLE (
    UPDATE readpast.message
    SET origin_id = destination_id,
        destination_id = :target_id,
        jms_destination = 'queue://' || (SELECT d.name FROM readpast.destination d WHERE d.destination_id = :target_id),
        jms_expiration = 0,
        enqueued_at = DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'),
        expires_at = NULL,
        delivery_count = 0
    WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id)
