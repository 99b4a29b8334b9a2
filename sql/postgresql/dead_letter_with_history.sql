-- As dead_letter, for a message of a queue with a history: notes in it what has become of the message. The body is not noted, since the
-- dead letter, of the same message_id, goes on having it.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id, :properties (JSON or null), :keep_properties (1 where it keeps its own), :deliveries (how many there were),
--   :held_millis (for how long the consumer has had it; null where that is not known), :consumer
-- Index: primary key, one seek; readpast.destination by key; appends to the primary key of readpast.message_history for each queue.
-- Locks: the row, without waiting.
WITH held AS (
    SELECT *
    FROM readpast.message
    WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
    FOR UPDATE SKIP LOCKED), kept AS (
    INSERT INTO readpast.message_history (
        completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
        properties, body_kind, body_format, body_length, delivery_count, enqueued_at, claimed_at, consumer, outcome)
    SELECT
        statement_timestamp(), destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to,
        group_id, properties, body_kind, body_format, body_length, :deliveries, enqueued_at,
        statement_timestamp() - CAST(:held_millis AS int) * interval '1 millisecond', :consumer, 'dead letter'
    FROM held)
UPDATE readpast.message m
SET origin_id = m.destination_id,
    destination_id = :target_id,
    jms_destination = 'queue://' || (SELECT d.name FROM readpast.destination d WHERE d.destination_id = :target_id),
    jms_expiration = 0,
    properties = CASE WHEN CAST(:keep_properties AS int) = 1 THEN m.properties ELSE CAST(:properties AS json) END,
    enqueued_at = statement_timestamp(),
    expires_at = NULL,
    delivery_count = 0
FROM held h
WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
