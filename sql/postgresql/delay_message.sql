-- Moves a message that came back to those that are not due yet, and counts the delivery. A message that somebody else has
-- claimed meanwhile is left alone.
-- The highest number that there is is followed by 1.
-- Parameters: :destination_id, :priority_order, :message_id, :delay_millis
-- Index: primary key, one seek; appends to the key of readpast.delayed_message.
-- Locks: the row, without waiting.
WITH held AS (
    SELECT destination_id, priority_order, message_id
    FROM readpast.message
    WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
    FOR UPDATE SKIP LOCKED), gone AS (
    DELETE FROM readpast.message m
    USING held h
    WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
    RETURNING m.*)
INSERT INTO readpast.delayed_message (
    due_at, message_id, destination_id, priority_order,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
    delivery_count)
SELECT
    statement_timestamp() + CAST(:delay_millis AS bigint) * interval '1 millisecond', message_id, destination_id, priority_order,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
    delivery_count % 2147483647 + 1
FROM gone
