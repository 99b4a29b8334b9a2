-- Deletes messages that have expired of one queue with a history, and notes that in it.
-- Parameters: :destination_id, :max
-- Index: message_expiry from its start; message_key for each row; appends to message_history_key for each queue.
-- Locks: X on the deleted rows; rows that others hold are stepped over.
DELETE TOP (:max) FROM [readpast].message WITH (READPAST, ROWLOCK)
OUTPUT
    SYSUTCDATETIME(), deleted.destination_id, deleted.message_id, deleted.priority_order, deleted.jms_message_id,
    deleted.correlation_id, deleted.jms_type, deleted.reply_to, deleted.group_id, deleted.properties, deleted.body_kind,
    deleted.body_format, deleted.body_length, deleted.body, deleted.delivery_count, deleted.enqueued_at, N'expired'
INTO [readpast].message_history (
    completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
    properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, outcome)
WHERE expires_at <= SYSUTCDATETIME() AND destination_id = :destination_id
