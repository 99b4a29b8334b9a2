-- Reads a stretch of a queue, claimed messages included; also the first step of a claim with a selector. Two results, because
-- SQL Server cannot seek behind a key of two columns.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max,
--   :max_inline_body (larger bodies come as null; -1 for none;
--   properties of more than 8192 characters come as their length), and what a selector demands of header fields:
--   :lowest_order and :highest_order (of priority_order), :earliest and :latest (of jms_timestamp), :delivery_mode,
--   :jms_message_id, :jms_type (null for any)
-- Index: message_key, two ranges; no sort.
-- Locks: S for a moment on each row; rows that are being deleted are stepped over, also under row versioning.
SELECT TOP (:max) m.destination_id /* include message_columns */ /* include short_body */
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
WHERE m.destination_id = :destination_id
  AND m.priority_order = :after_priority AND m.message_id > :after_id
  /* include header_conditions */
ORDER BY m.destination_id, m.priority_order, m.message_id;
SELECT TOP (:max - @@ROWCOUNT) m.destination_id /* include message_columns */ /* include short_body */
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
WHERE m.destination_id = :destination_id
  AND m.priority_order > :after_priority
  /* include header_conditions */
ORDER BY m.destination_id, m.priority_order, m.message_id
