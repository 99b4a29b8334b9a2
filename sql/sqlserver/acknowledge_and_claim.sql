-- One round trip: deletes claimed messages, commits, and claims the next messages, which begins the next transaction, since
-- autocommit is off. Where not exactly the expected number of rows was deleted it fails with 50001, and the caller rolls back.
-- Results: the number deleted; a row with 1, which says that the commit was carried out; then those of claim.
-- Entered: in a transaction, and left in the next one, which the claim begins: so the transaction count is the same, and SQL Server
--   does not report error 266.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :expected (how
--   many keys), and those of claim
-- Properties of more than 8192 characters come as their length.
-- Index: message_key, one seek for each key and two ranges; suspect_mark_key as claim.
-- Locks: as acknowledge and claim.
DELETE m
FROM OPENJSON(:keys) WITH (d int '$.d', p smallint '$.p', i bigint '$.i') AS k
INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i;
IF @@ROWCOUNT <> :expected
    THROW 50001, N'Claimed messages are not there any more', 1;
COMMIT TRANSACTION;
SELECT 1 AS committed;
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
