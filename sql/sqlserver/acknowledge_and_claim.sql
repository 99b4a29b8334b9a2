-- One round trip: deletes claimed messages, commits, and claims the next messages, which begins the next transaction, since
-- autocommit is off. Where not exactly the expected number of rows was deleted it rolls back and fails with 50001. Results:
-- the number deleted; a row with 1, which says that the commit was carried out; then those of claim.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :expected (how
--   many keys), and those of claim
-- Index: message_key, one seek for each key and two ranges.
-- Locks: as acknowledge and claim.
DELETE m
FROM OPENJSON(:keys) WITH (d int '$.d', p smallint '$.p', i bigint '$.i') AS k
INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i;
IF @@ROWCOUNT <> :expected
BEGIN
    ROLLBACK TRANSACTION;
    THROW 50001, N'Claimed messages are not there any more', 1;
END;
COMMIT TRANSACTION;
SELECT 1 AS committed;
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
