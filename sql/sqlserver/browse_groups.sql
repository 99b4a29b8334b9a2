-- Reads a stretch of a queue for a claim by groups, claimed messages included: messages of no group, of groups that nobody has,
-- and of the consumer's own. Those of other consumers' groups are stepped over here, however many they are. Two results,
-- because SQL Server cannot seek behind a key of two columns.
-- Parameters: :consumer, :correlation_id (null for any), and those of browse but for :max_inline_body
-- Properties of more than 8192 characters come as their length.
-- Index: message_key, two ranges; no sort; message_group_key, one seek for each message.
-- Locks: S for a moment on each row; messages that are being deleted are stepped over, also under row versioning. A group that
--   is being taken or given up is waited for, which takes a moment.
SELECT TOP (:max) m.destination_id /* include message_columns */, CAST(NULL AS varbinary(1)) AS body,
       CASE WHEN g.consumer IS NULL THEN 0 ELSE 1 END AS owned
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
LEFT OUTER LOOP JOIN [readpast].message_group AS g WITH (READCOMMITTEDLOCK)
    ON g.destination_id = m.destination_id AND g.group_id = m.group_id
WHERE m.destination_id = :destination_id
  AND m.priority_order = :after_priority AND m.message_id > :after_id
  AND (g.consumer IS NULL OR g.consumer = :consumer)
  /* include header_conditions */
  AND (:correlation_id IS NULL OR m.correlation_id = :correlation_id)
ORDER BY m.destination_id, m.priority_order, m.message_id;
SELECT TOP (:max - @@ROWCOUNT) m.destination_id /* include message_columns */, CAST(NULL AS varbinary(1)) AS body,
       CASE WHEN g.consumer IS NULL THEN 0 ELSE 1 END AS owned
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
LEFT OUTER LOOP JOIN [readpast].message_group AS g WITH (READCOMMITTEDLOCK)
    ON g.destination_id = m.destination_id AND g.group_id = m.group_id
WHERE m.destination_id = :destination_id
  AND m.priority_order > :after_priority
  AND (g.consumer IS NULL OR g.consumer = :consumer)
  /* include header_conditions */
  AND (:correlation_id IS NULL OR m.correlation_id = :correlation_id)
ORDER BY m.destination_id, m.priority_order, m.message_id
