-- As dead_letter, for a message of a queue with a history: notes in it what has become of the message. The body is not noted, since the
-- dead letter, of the same message_id, goes on having it.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id, :properties (JSON or null), :keep_properties (1 where it keeps its own), :deliveries (how many there were),
--   :held_millis (for how long the consumer has had it; null where that is not known), :consumer
-- The clock is read once, so that the times are in order; enqueued_at may have been rounded up.
-- Index: primary key, one seek; readpast.destination by key; appends to the primary key of readpast.message_history for each queue.
-- Locks: the row, which is held already.
INSERT INTO readpast.message_history (
    completed_at,
    claimed_at,
    destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id, properties,
    body_kind, body_format, body_length, delivery_count, enqueued_at, consumer, outcome)
SELECT
    GREATEST(enqueued_at, DATEADD('MILLISECOND', c.now_millis, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00')),
    CASE WHEN CAST(:held_millis AS INT) IS NOT NULL
         THEN GREATEST(enqueued_at, DATEADD('MILLISECOND', c.now_millis - CAST(:held_millis AS INT), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00')) END,
    destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id, properties,
    body_kind, body_format, body_length, CAST(:deliveries AS INT), enqueued_at, :consumer, 'dead letter'
FROM (SELECT readpast.clock_millis() AS now_millis) AS c
CROSS JOIN OLD TABLE (
    UPDATE readpast.message
    SET origin_id = destination_id,
        destination_id = :target_id,
        jms_destination = 'queue://' || (SELECT d.name FROM readpast.destination d WHERE d.destination_id = :target_id),
        jms_expiration = 0,
        properties = CASE WHEN CAST(:keep_properties AS INT) = 1 THEN properties ELSE CAST(:properties AS VARCHAR) END,
        enqueued_at = DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'),
        expires_at = NULL,
        delivery_count = 0
    WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id)
