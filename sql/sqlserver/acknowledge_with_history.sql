-- Deletes claimed messages of queues with a history, and notes in it that they are completed. The caller compares the number of
-- deleted rows with the number of keys.
-- The highest number that there is is followed by 1.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :held_millis (for how long
--   the consumer has had them; null where that is not known), :consumer
-- Index: message_key, one seek for each key; appends to message_history_key for each queue.
-- Locks: X on the deleted rows, which the claim holds already.
DELETE m
OUTPUT
    SYSUTCDATETIME(), deleted.destination_id, deleted.message_id, deleted.priority_order, deleted.jms_message_id,
    deleted.correlation_id, deleted.jms_type, deleted.reply_to, deleted.group_id, deleted.properties, deleted.body_kind,
    deleted.body_format, deleted.body_length, deleted.body, deleted.delivery_count % 2147483647 + 1, deleted.enqueued_at,
    DATEADD(millisecond, -CAST(:held_millis AS int), SYSUTCDATETIME()), :consumer, N'completed'
INTO [readpast].message_history (
    completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
    properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, claimed_at, consumer, outcome)
FROM OPENJSON(:keys) WITH (d int '$.d', p smallint '$.p', i bigint '$.i') AS k
INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i
