-- The same of messages that are delayed, claimed by lease or held.
-- Parameters: :destination_id, :after_due and :after_id (the key to start behind), :most
-- Index: delayed_message_destination, two ranges, and delayed_message_key for each row; no sort.
-- Locks: S for a moment on each row; rows that are being written are stepped over, also under row versioning.
-- Rights: ALTER ROLE readpast_manage ADD MEMBER
SELECT TOP (:most) m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN DATALENGTH(m.properties) <= 131072 THEN m.properties
            ELSE CAST(DATALENGTH(m.properties) / 2 AS nvarchar(20)) END AS properties,
       m.body_kind, m.body_format, m.body_length, CAST(NULL AS varbinary(1)) AS body, m.delivery_count, m.origin_id,
       m.due_at,
       CASE WHEN m.held_at IS NOT NULL THEN N'held' WHEN m.claim_token IS NOT NULL THEN N'claimed' ELSE N'delayed' END AS state
FROM [readpast].delayed_message AS m
    WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (delayed_message_destination (destination_id, due_at)))
WHERE m.destination_id = :destination_id
  AND m.due_at = CAST(:after_due AS datetime2(3)) AND m.message_id > :after_id
ORDER BY m.destination_id, m.due_at, m.message_id;
SELECT TOP (:most - @@ROWCOUNT) m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN DATALENGTH(m.properties) <= 131072 THEN m.properties
            ELSE CAST(DATALENGTH(m.properties) / 2 AS nvarchar(20)) END AS properties,
       m.body_kind, m.body_format, m.body_length, CAST(NULL AS varbinary(1)) AS body, m.delivery_count, m.origin_id,
       m.due_at,
       CASE WHEN m.held_at IS NOT NULL THEN N'held' WHEN m.claim_token IS NOT NULL THEN N'claimed' ELSE N'delayed' END AS state
FROM [readpast].delayed_message AS m
    WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (delayed_message_destination (destination_id, due_at)))
WHERE m.destination_id = :destination_id
  AND m.due_at > CAST(:after_due AS datetime2(3))
ORDER BY m.destination_id, m.due_at, m.message_id
