-- As move_expired, for a queue with a history: notes in it that the messages have expired. Their bodies are not noted, since the moved
-- messages, of the same message_id, go on having them.
-- Parameters: :destination_id, :target_id, :max
-- Index: message_expiry from its start; primary key, one seek for each row; readpast.destination by key; appends to the primary key of
--   readpast.message_history for each queue.
-- Locks: the moved rows; rows that others hold are stepped over.
WITH doomed AS (
    SELECT *
    FROM readpast.message
    WHERE expires_at <= statement_timestamp() AND destination_id = :destination_id
    ORDER BY expires_at
    LIMIT :max
    FOR UPDATE SKIP LOCKED), kept AS (
    INSERT INTO readpast.message_history (
        completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
        properties, body_kind, body_format, body_length, delivery_count, enqueued_at, outcome)
    SELECT
        statement_timestamp(), destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to,
        group_id, properties, body_kind, body_format, body_length, delivery_count, enqueued_at, 'expired'
    FROM doomed)
UPDATE readpast.message m
SET origin_id = m.destination_id,
    destination_id = :target_id,
    jms_destination = 'queue://' || (SELECT d.name FROM readpast.destination d WHERE d.destination_id = :target_id),
    jms_expiration = 0,
    enqueued_at = statement_timestamp(),
    expires_at = NULL,
    delivery_count = 0
FROM doomed h
WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
