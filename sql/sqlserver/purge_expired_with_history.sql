-- Deletes messages that have expired of one queue with a history, the oldest first, notes that in it, and returns how many. See
-- purge_expired for the order of the locks.
-- Parameters: :destination_id, :max
-- Index: as purge_expired; appends to message_history_key for each queue.
-- Locks: U and then X on the deleted rows; rows that others hold are stepped over.
DECLARE @now datetime2(3) = SYSUTCDATETIME();
DECLARE @doomed TABLE (priority_order smallint NOT NULL, message_id bigint NOT NULL, PRIMARY KEY (priority_order, message_id));
INSERT INTO @doomed (priority_order, message_id)
SELECT TOP (:max) priority_order, message_id
FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_expiry (expires_at)))
WHERE expires_at <= @now AND expires_at IS NOT NULL AND destination_id = :destination_id
ORDER BY expires_at;
DELETE m
OUTPUT
    SYSUTCDATETIME(), deleted.destination_id, deleted.message_id, deleted.priority_order, deleted.jms_message_id,
    deleted.correlation_id, deleted.jms_type, deleted.reply_to, deleted.group_id, deleted.properties, deleted.body_kind,
    deleted.body_format, deleted.body_length, deleted.body, deleted.delivery_count, deleted.enqueued_at, N'expired'
INTO [readpast].message_history (
    completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
    properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, outcome)
FROM @doomed AS k
INNER LOOP JOIN [readpast].message AS m
    WITH (READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = :destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
WHERE m.expires_at <= @now;
SELECT @@ROWCOUNT AS removed
