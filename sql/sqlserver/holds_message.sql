-- The message with this key, whoever holds it. Of one that somebody is deleting who has not committed it fails with 1222, or, with row
-- versioning, finds it.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: message_key, one seek.
-- Locks: S for a moment, without waiting.
SELECT m.jms_message_id, m.jms_timestamp
FROM [readpast].message AS m WITH (NOWAIT, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
WHERE m.destination_id = :destination_id AND m.priority_order = :priority_order AND m.message_id = :message_id
