-- Deletes a claimed message of a queue with a history, and notes in it that it is completed. The caller compares the number of
-- deleted rows with the number of keys.
-- The highest number that there is is followed by 1.
-- Parameters: :destination_id, :priority_order, :message_id, :held_millis (for how long the consumer has had it; null where that is not
--   known), :consumer
-- The clock is read once, so that the times are in order; enqueued_at may have been rounded up.
-- Index: primary key, one seek; appends to that of readpast.message_history for each queue.
-- Locks: the deleted row, which the claim holds already.
INSERT INTO readpast.message_history (
    completed_at,
    claimed_at,
    destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id, properties,
    body_kind, body_format, body_length, body, delivery_count, enqueued_at, consumer, outcome)
SELECT
    GREATEST(enqueued_at, DATEADD('MILLISECOND', c.now_millis, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00')),
    CASE WHEN CAST(:held_millis AS INT) IS NOT NULL
         THEN GREATEST(enqueued_at, DATEADD('MILLISECOND', c.now_millis - CAST(:held_millis AS INT), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00')) END,
    destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id, properties,
    body_kind, body_format, body_length, body, delivery_count % 2147483647 + 1, enqueued_at, :consumer, 'completed'
FROM (SELECT readpast.clock_millis() AS now_millis) AS c
CROSS JOIN OLD TABLE (
    DELETE FROM readpast.message
    WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id)
