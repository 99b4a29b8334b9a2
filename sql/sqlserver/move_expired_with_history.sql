-- As move_expired, for a queue with a history: notes in it that the messages have expired. Their bodies are not noted, since the moved
-- messages, of the same message_id, go on having them. Returns how many. See purge_expired for the order of the locks.
-- Parameters: :destination_id, :target_id, :max
-- Index: message_expiry up to now, as purge_expired; message_key, three seeks for each row; [readpast].destination by key; appends to
--   message_history_key for each queue.
-- Locks: U and then X on the moved rows; rows that others hold are stepped over.
DECLARE @now datetime2(3) = SYSUTCDATETIME();
DECLARE @doomed TABLE (priority_order smallint NOT NULL, message_id bigint NOT NULL, PRIMARY KEY (priority_order, message_id));
INSERT INTO @doomed (priority_order, message_id)
SELECT TOP (:max) priority_order, message_id
FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_expiry (expires_at)))
WHERE expires_at <= @now AND expires_at IS NOT NULL AND destination_id = :destination_id
ORDER BY expires_at;
DECLARE @held TABLE (priority_order smallint NOT NULL, message_id bigint NOT NULL, PRIMARY KEY (priority_order, message_id));
INSERT INTO @held (priority_order, message_id)
SELECT m.priority_order, m.message_id
FROM @doomed AS k
INNER LOOP JOIN [readpast].message AS m
    WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = :destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
WHERE m.expires_at <= @now;
INSERT INTO [readpast].message_history (
    completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
    properties, body_kind, body_format, body_length, delivery_count, enqueued_at, outcome)
SELECT
    SYSUTCDATETIME(), m.destination_id, m.message_id, m.priority_order, m.jms_message_id, m.correlation_id, m.jms_type, m.reply_to,
    m.group_id, m.properties, m.body_kind, m.body_format, m.body_length, m.delivery_count, m.enqueued_at, N'expired'
FROM @held AS k
INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = :destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id;
UPDATE m
SET origin_id = m.destination_id,
    destination_id = :target_id,
    jms_destination = N'queue://' + (SELECT d.name FROM [readpast].destination AS d WHERE d.destination_id = :target_id),
    jms_expiration = 0,
    enqueued_at = SYSUTCDATETIME(),
    expires_at = NULL,
    delivery_count = 0
FROM @held AS k
INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK, INDEX (message_key))
    ON m.destination_id = :destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id;
SELECT @@ROWCOUNT AS removed
