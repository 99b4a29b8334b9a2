-- Claims the first messages of a queue that nobody holds, in the order of delivery. Two results, because SQL Server cannot
-- seek behind a key of two columns: what is left of one priority, and the priorities behind it.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -1 and 0 for the head), :max,
--   :max_inline_body (larger bodies come as null)
-- Index: message_key, two ranges; no sort.
-- Locks: U on the rows returned until the transaction ends; rows locked by others are stepped over. ROWLOCK, and page locks
--   are off on the table, because READPAST steps over row locks only.
SELECT TOP (:max)
       destination_id, priority_order, message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type,
       delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format,
       body_length, delivery_count,
       CASE WHEN body_length <= :max_inline_body THEN body END AS body
FROM [readpast].message WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order)))
WHERE destination_id = :destination_id
  AND priority_order = :after_priority AND message_id > :after_id
  AND (expires_at IS NULL OR expires_at > SYSUTCDATETIME())
ORDER BY destination_id, priority_order, message_id;
SELECT TOP (:max - @@ROWCOUNT)
       destination_id, priority_order, message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type,
       delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format,
       body_length, delivery_count,
       CASE WHEN body_length <= :max_inline_body THEN body END AS body
FROM [readpast].message WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order)))
WHERE destination_id = :destination_id
  AND priority_order > :after_priority
  AND (expires_at IS NULL OR expires_at > SYSUTCDATETIME())
ORDER BY destination_id, priority_order, message_id
