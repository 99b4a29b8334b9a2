-- Puts delayed messages that have become due into their queues and returns those queues, one row for each message.
-- Parameters: :max
-- Index: delayed_message_key from its start; appends to [readpast].message.
-- Locks: X on the moved rows; rows that another mover holds are stepped over.
DELETE TOP (:max) FROM [readpast].delayed_message WITH (READPAST, ROWLOCK)
OUTPUT
    deleted.destination_id, deleted.priority_order, deleted.message_id,
    deleted.jms_message_id, deleted.jms_destination, deleted.reply_to, deleted.correlation_id, deleted.jms_type, deleted.delivery_mode, deleted.jms_timestamp, deleted.jms_expiration,
    deleted.jms_delivery_time, deleted.group_id, deleted.properties, deleted.body_kind, deleted.body_format, deleted.body_length, deleted.body, deleted.enqueued_at, deleted.expires_at, deleted.origin_id,
    deleted.delivery_count
INTO [readpast].message (
    destination_id, priority_order, message_id,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, enqueued_at, expires_at, origin_id,
    delivery_count)
OUTPUT deleted.destination_id
WHERE due_at <= SYSUTCDATETIME()
