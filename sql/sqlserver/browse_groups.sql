-- Reads a stretch of a queue for a claim by groups, claimed messages included: messages of no group, of groups that nobody has,
-- and of the consumer's own. Those of other consumers' groups are stepped over here, however many they are. Two results,
-- because SQL Server cannot seek behind a key of two columns.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max,
--   :consumer, and what a selector demands of header fields: :lowest_order and :highest_order (of priority_order), :earliest
--   and :latest (of jms_timestamp), :delivery_mode, :jms_message_id, :correlation_id, :jms_type (null for any)
-- Properties of more than 8192 characters come as their length.
-- Index: message_key, two ranges; no sort; message_group_key, one seek for each message.
-- Locks: S for a moment on each row; messages that are being deleted are stepped over, also under row versioning. A group that
--   is being taken or given up is waited for, which takes a moment.
SELECT TOP (:max)
       m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN DATALENGTH(m.properties) <= 16384 THEN m.properties ELSE CAST(DATALENGTH(m.properties) / 2 AS nvarchar(20)) END AS properties,
       m.body_kind, m.body_format,
       m.body_length, m.delivery_count, CAST(NULL AS varbinary(1)) AS body,
       CASE WHEN g.consumer IS NULL THEN 0 ELSE 1 END AS owned
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
LEFT OUTER LOOP JOIN [readpast].message_group AS g WITH (READCOMMITTEDLOCK)
    ON g.destination_id = m.destination_id AND g.group_id = m.group_id
WHERE m.destination_id = :destination_id
  AND m.priority_order = :after_priority AND m.message_id > :after_id
  AND (g.consumer IS NULL OR g.consumer = :consumer)
  AND m.priority_order BETWEEN :lowest_order AND :highest_order
  AND m.jms_timestamp BETWEEN :earliest AND :latest
  AND (:delivery_mode IS NULL OR m.delivery_mode = :delivery_mode)
  AND (:jms_message_id IS NULL OR m.jms_message_id = :jms_message_id)
  AND (:correlation_id IS NULL OR m.correlation_id = :correlation_id)
  AND (:jms_type IS NULL OR m.jms_type = :jms_type)
  AND (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME())
ORDER BY m.destination_id, m.priority_order, m.message_id;
SELECT TOP (:max - @@ROWCOUNT)
       m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN DATALENGTH(m.properties) <= 16384 THEN m.properties ELSE CAST(DATALENGTH(m.properties) / 2 AS nvarchar(20)) END AS properties,
       m.body_kind, m.body_format,
       m.body_length, m.delivery_count, CAST(NULL AS varbinary(1)) AS body,
       CASE WHEN g.consumer IS NULL THEN 0 ELSE 1 END AS owned
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
LEFT OUTER LOOP JOIN [readpast].message_group AS g WITH (READCOMMITTEDLOCK)
    ON g.destination_id = m.destination_id AND g.group_id = m.group_id
WHERE m.destination_id = :destination_id
  AND m.priority_order > :after_priority
  AND (g.consumer IS NULL OR g.consumer = :consumer)
  AND m.priority_order BETWEEN :lowest_order AND :highest_order
  AND m.jms_timestamp BETWEEN :earliest AND :latest
  AND (:delivery_mode IS NULL OR m.delivery_mode = :delivery_mode)
  AND (:jms_message_id IS NULL OR m.jms_message_id = :jms_message_id)
  AND (:correlation_id IS NULL OR m.correlation_id = :correlation_id)
  AND (:jms_type IS NULL OR m.jms_type = :jms_type)
  AND (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME())
ORDER BY m.destination_id, m.priority_order, m.message_id
