-- Moves an expired message to another queue, where it never expires; the row is locked before with lock_message.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id
-- Index: primary key, one seek; readpast.destination by key.
-- Locks: the row, which is held already.
INSERT INTO readpast.message (
    destination_id, priority_order, message_id,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, enqueued_at, expires_at, origin_id,
    delivery_count)
SELECT
    CAST(:target_id AS int), g.priority_order, g.message_id,
    g.jms_message_id, 'queue://' || t.name, g.reply_to, g.correlation_id, g.jms_type, g.delivery_mode, g.jms_timestamp, 0,
    g.jms_delivery_time, g.group_id, g.properties, g.body_kind, g.body_format, g.body_length, g.body, DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'), NULL, g.destination_id,
    0
FROM OLD TABLE (
    DELETE FROM readpast.message
    WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id) g
LEFT JOIN readpast.destination t ON t.destination_id = :target_id
