-- Puts delayed messages that have become due into their queues and returns those queues.
-- Parameters: :max
-- Index: delayed_message_key from its start, and one seek for each row; appends to [readpast].message.
-- Locks: U and then X on the moved rows; rows that another mover holds are stepped over.
DECLARE @now datetime2(3) = SYSUTCDATETIME();
DECLARE @due TABLE (due_at datetime2(3) NOT NULL, message_id bigint NOT NULL, destination_id int NOT NULL);
INSERT INTO @due (due_at, message_id, destination_id)
SELECT TOP (:max) due_at, message_id, destination_id
FROM [readpast].delayed_message WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (delayed_message_key (due_at)))
WHERE due_at <= @now
ORDER BY due_at, message_id;
DELETE m
OUTPUT
    deleted.destination_id, deleted.priority_order, deleted.message_id,
    deleted.jms_message_id, deleted.jms_destination, deleted.reply_to, deleted.correlation_id, deleted.jms_type, deleted.delivery_mode, deleted.jms_timestamp, deleted.jms_expiration,
    deleted.jms_delivery_time, deleted.group_id, deleted.properties, deleted.body_kind, deleted.body_format, deleted.body_length, deleted.body, deleted.body_id, deleted.enqueued_at, deleted.expires_at, deleted.origin_id,
    deleted.delivery_count
INTO [readpast].message (
    destination_id, priority_order, message_id,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
    delivery_count)
FROM @due AS d
INNER LOOP JOIN [readpast].delayed_message AS m WITH (ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
    ON m.due_at = d.due_at AND m.message_id = d.message_id;
SELECT DISTINCT destination_id FROM @due
