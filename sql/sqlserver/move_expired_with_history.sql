-- As move_expired, for a queue with a history: notes in it that the messages have expired. Their bodies are not noted, since the moved
-- messages, of the same message_id, go on having them. Returns how many. See purge_expired for the order of the locks.
-- Parameters: :destination_id, :target_id, :target (its name), :max
-- Index: message_expiry up to now, as purge_expired; message_key, three seeks for each row; [readpast].destination by key; appends to
--   message_history_key for each queue.
-- Locks: U and then X on the moved rows; rows that others hold are stepped over.
/* include find_expired */;
DECLARE @held TABLE (priority_order smallint NOT NULL, message_id bigint NOT NULL, PRIMARY KEY (priority_order, message_id));
INSERT INTO @held (priority_order, message_id)
SELECT m.priority_order, m.message_id
FROM @doomed AS k
INNER LOOP JOIN [readpast].message AS m
    WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = :destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
WHERE m.expires_at <= @now;
INSERT INTO [readpast].message_history (
    completed_at /* include history_columns */, delivery_count, enqueued_at, outcome)
SELECT
    SYSUTCDATETIME(), m.destination_id, m.message_id, m.priority_order, m.jms_message_id, m.correlation_id, m.jms_type, m.reply_to,
    m.group_id, m.properties, m.body_kind, m.body_format, m.body_length, m.delivery_count, m.enqueued_at, N'expired'
FROM @held AS k
INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = :destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id;
UPDATE m
SET origin_id = m.destination_id /* include at_target */
FROM @held AS k
INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK, INDEX (message_key))
    ON m.destination_id = :destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id;
SELECT @@ROWCOUNT AS removed
