-- Reads a stretch of a queue, claimed messages included; also the first step of a claim with a selector. Two results, because
-- SQL Server cannot seek behind a key of two columns.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max,
--   :max_inline_body (larger bodies come as null; -1 for none;
--   properties of more than 8192 characters come as their length), and what a selector demands of header fields:
--   :lowest_order and :highest_order (of priority_order), :earliest and :latest (of jms_timestamp), :delivery_mode,
--   :jms_message_id, :jms_type (null for any)
-- Index: message_key, two ranges; no sort.
-- Locks: S for a moment on each row; rows that are being deleted are stepped over, also under row versioning.
SELECT TOP (:max)
       destination_id, priority_order, message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type,
       delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, group_id,
       CASE WHEN DATALENGTH(properties) <= 16384 THEN properties ELSE CAST(DATALENGTH(properties) / 2 AS nvarchar(20)) END AS properties,
       body_kind, body_format,
       body_length, delivery_count,
       CASE WHEN DATALENGTH(body) <= :max_inline_body THEN body END AS body
FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
WHERE destination_id = :destination_id
  AND priority_order = :after_priority AND message_id > :after_id
  AND priority_order BETWEEN :lowest_order AND :highest_order
  AND jms_timestamp BETWEEN :earliest AND :latest
  AND (:delivery_mode IS NULL OR delivery_mode = :delivery_mode)
  AND (:jms_message_id IS NULL OR jms_message_id = :jms_message_id)
  AND (:jms_type IS NULL OR jms_type = :jms_type)
  AND (expires_at IS NULL OR expires_at > SYSUTCDATETIME())
ORDER BY destination_id, priority_order, message_id;
SELECT TOP (:max - @@ROWCOUNT)
       destination_id, priority_order, message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type,
       delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, group_id,
       CASE WHEN DATALENGTH(properties) <= 16384 THEN properties ELSE CAST(DATALENGTH(properties) / 2 AS nvarchar(20)) END AS properties,
       body_kind, body_format,
       body_length, delivery_count,
       CASE WHEN DATALENGTH(body) <= :max_inline_body THEN body END AS body
FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
WHERE destination_id = :destination_id
  AND priority_order > :after_priority
  AND priority_order BETWEEN :lowest_order AND :highest_order
  AND jms_timestamp BETWEEN :earliest AND :latest
  AND (:delivery_mode IS NULL OR delivery_mode = :delivery_mode)
  AND (:jms_message_id IS NULL OR jms_message_id = :jms_message_id)
  AND (:jms_type IS NULL OR jms_type = :jms_type)
  AND (expires_at IS NULL OR expires_at > SYSUTCDATETIME())
ORDER BY destination_id, priority_order, message_id
