-- Moves a message that came back to those that are not due yet, and counts the delivery. A message that somebody else has
-- claimed meanwhile is left alone.
-- The highest number that there is is followed by 1.
-- Parameters: :destination_id, :priority_order, :message_id, :delay_millis
-- Index: message_key, one seek; appends to the key of [readpast].delayed_message.
-- Locks: X on the row, without waiting.
DELETE FROM [readpast].message WITH (READPAST, ROWLOCK)
OUTPUT
    DATEADD(millisecond, CAST(:delay_millis % 1000 AS int), DATEADD(second, CAST(:delay_millis / 1000 AS int), SYSUTCDATETIME())), deleted.message_id, deleted.destination_id, deleted.priority_order,
    deleted.jms_message_id, deleted.jms_destination, deleted.reply_to, deleted.correlation_id, deleted.jms_type, deleted.delivery_mode, deleted.jms_timestamp, deleted.jms_expiration,
    deleted.jms_delivery_time, deleted.group_id, deleted.properties, deleted.body_kind, deleted.body_format, deleted.body_length, deleted.body, deleted.body_id, deleted.enqueued_at, deleted.expires_at, deleted.origin_id,
    deleted.delivery_count % 2147483647 + 1
INTO [readpast].delayed_message (
    due_at, message_id, destination_id, priority_order,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
    delivery_count)
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
