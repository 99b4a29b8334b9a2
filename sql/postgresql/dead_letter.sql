-- Moves a message to another queue, as one that is available at once and never expires. A message that somebody else has
-- claimed meanwhile is left alone.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id, :properties (JSON or null)
-- Index: primary key, one seek; readpast.destination by key.
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
INSERT INTO readpast.message (
    destination_id, priority_order, message_id,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, enqueued_at, expires_at, origin_id,
    delivery_count)
SELECT
    CAST(:target_id AS int), g.priority_order, g.message_id,
    g.jms_message_id, 'queue://' || t.name, g.reply_to, g.correlation_id, g.jms_type, g.delivery_mode, g.jms_timestamp, 0,
    g.jms_delivery_time, g.group_id, CAST(:properties AS json), g.body_kind, g.body_format, g.body_length, g.body, statement_timestamp(), NULL, g.destination_id,
    0
FROM gone g
LEFT JOIN readpast.destination t ON t.destination_id = :target_id
