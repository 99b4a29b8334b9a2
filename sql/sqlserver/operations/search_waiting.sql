-- Reads a stretch of a queue for whoever chooses among its messages: without bodies, and of properties that are longer than 64 Ki characters
-- the length in their place. Two results, because SQL Server cannot seek behind a key of two columns.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -1 and 0 for the head), :most
-- Index: message_key, two ranges; no sort.
-- Locks: S for a moment on each row; rows that are being written are stepped over, also under row versioning.
-- Rights: ALTER ROLE readpast_manage ADD MEMBER
SELECT TOP (:most) m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN DATALENGTH(m.properties) <= 131072 THEN m.properties
            ELSE CAST(DATALENGTH(m.properties) / 2 AS nvarchar(20)) END AS properties,
       m.body_kind, m.body_format, m.body_length, CAST(NULL AS varbinary(1)) AS body, m.delivery_count, m.origin_id,
       CAST(NULL AS datetime2(3)) AS due_at,
       CASE WHEN m.expires_at <= SYSUTCDATETIME() THEN N'expired' ELSE N'waiting' END AS state
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
WHERE m.destination_id = :destination_id
  AND m.priority_order = :after_priority AND m.message_id > :after_id
ORDER BY m.destination_id, m.priority_order, m.message_id;
SELECT TOP (:most - @@ROWCOUNT) m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN DATALENGTH(m.properties) <= 131072 THEN m.properties
            ELSE CAST(DATALENGTH(m.properties) / 2 AS nvarchar(20)) END AS properties,
       m.body_kind, m.body_format, m.body_length, CAST(NULL AS varbinary(1)) AS body, m.delivery_count, m.origin_id,
       CAST(NULL AS datetime2(3)) AS due_at,
       CASE WHEN m.expires_at <= SYSUTCDATETIME() THEN N'expired' ELSE N'waiting' END AS state
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
WHERE m.destination_id = :destination_id
  AND m.priority_order > :after_priority
ORDER BY m.destination_id, m.priority_order, m.message_id
