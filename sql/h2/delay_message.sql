-- Moves a message that came back to those that are not due yet, and counts the delivery; the row is locked before with
-- lock_message.
-- The highest number that there is is followed by 1.
-- Parameters: :destination_id, :priority_order, :message_id, :delay_millis
-- Index: primary key, one seek; appends to the key of readpast.delayed_message.
-- Locks: the row, which is held already.
INSERT INTO readpast.delayed_message (
    due_at, message_id, destination_id, priority_order,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
    delivery_count)
SELECT
    DATEADD('MILLISECOND', readpast.clock_millis() + CAST(:delay_millis AS BIGINT), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'), message_id, destination_id, priority_order,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
    delivery_count % 2147483647 + 1
FROM OLD TABLE (
    DELETE FROM readpast.message
    WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id)
