-- Ends the leases of a JVM that is gone: its messages are back in their queues, their deliveries counted. Returns those queues.
-- Parameters: :worker (the JVM's instance)
-- Index: delayed_message_claim, all of it: the leases that there are.
-- Locks: the moved rows.
SELECT DISTINCT destination_id FROM FINAL TABLE (
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
    FROM OLD TABLE (
        DELETE FROM readpast.delayed_message WHERE claim_token IS NOT NULL AND worker = :worker))
