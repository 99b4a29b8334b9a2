-- Claims the first messages of a queue that nobody holds, in the order of delivery. Two results, because SQL Server cannot
-- seek behind a key of two columns: what is left of one priority, and the priorities behind it.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max,
--   :max_inline_body (larger bodies come as null, and
--   properties of more than 8192 characters as their length)
-- Index: message_key, two ranges; no sort. suspect_mark_key, one seek for each row returned: which of them may have been in
--   delivery when a JVM died.
-- Locks: U on the rows returned until the transaction ends; rows locked by others are stepped over. ROWLOCK, and page locks
--   are off on the table, because READPAST steps over row locks only.
SELECT TOP (:max)
       m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN DATALENGTH(m.properties) <= 16384 THEN m.properties ELSE CAST(DATALENGTH(m.properties) / 2 AS nvarchar(20)) END AS properties,
       m.body_kind, m.body_format,
       m.body_length, m.delivery_count,
       CASE WHEN DATALENGTH(m.body) <= :max_inline_body THEN m.body END AS body,
       CASE WHEN EXISTS (
           SELECT 1 FROM [readpast].suspect_mark AS s WHERE s.destination_id = m.destination_id AND s.up_to >= m.message_id)
           THEN 1 ELSE 0 END AS suspect
FROM [readpast].message AS m WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order)))
WHERE m.destination_id = :destination_id
  AND m.priority_order = :after_priority AND m.message_id > :after_id
  AND (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME())
ORDER BY m.destination_id, m.priority_order, m.message_id;
SELECT TOP (:max - @@ROWCOUNT)
       m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN DATALENGTH(m.properties) <= 16384 THEN m.properties ELSE CAST(DATALENGTH(m.properties) / 2 AS nvarchar(20)) END AS properties,
       m.body_kind, m.body_format,
       m.body_length, m.delivery_count,
       CASE WHEN DATALENGTH(m.body) <= :max_inline_body THEN m.body END AS body,
       CASE WHEN EXISTS (
           SELECT 1 FROM [readpast].suspect_mark AS s WHERE s.destination_id = m.destination_id AND s.up_to >= m.message_id)
           THEN 1 ELSE 0 END AS suspect
FROM [readpast].message AS m WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order)))
WHERE m.destination_id = :destination_id
  AND m.priority_order > :after_priority
  AND (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME())
ORDER BY m.destination_id, m.priority_order, m.message_id
