-- Puts delayed messages that have become due into their queues and returns those queues.
-- Parameters: :max
-- Index: primary key of readpast.delayed_message from its start; appends to readpast.message.
-- Locks: the moved rows; rows that another mover holds are stepped over.
WITH due AS (
    SELECT due_at, message_id
    FROM readpast.delayed_message
    WHERE due_at <= statement_timestamp()
    ORDER BY due_at, message_id
    LIMIT :max
    FOR UPDATE SKIP LOCKED), gone AS (
    DELETE FROM readpast.delayed_message m
    USING due d
    WHERE m.due_at = d.due_at AND m.message_id = d.message_id
    RETURNING m.*), moved AS (
    INSERT INTO readpast.message (
    destination_id, priority_order, message_id,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
    delivery_count)
    SELECT
    destination_id, priority_order, message_id,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
    delivery_count
    FROM gone
    RETURNING destination_id)
SELECT DISTINCT destination_id FROM moved
