-- Like browse, for a selector that can only match one correlation id. Two results, as there.
-- Parameters: :correlation_id, and those of browse
-- Index: message_correlation, two ranges; no sort; message_key for each row.
-- Locks: S for a moment on each row; rows that are being deleted are stepped over, also under row versioning.
SELECT TOP (:max) m.destination_id /* include message_columns */ /* include short_body */
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_correlation (destination_id, correlation_id, priority_order)))
WHERE m.destination_id = :destination_id
  AND m.correlation_id = :correlation_id AND m.correlation_id IS NOT NULL
  AND m.priority_order = :after_priority AND m.message_id > :after_id
  /* include header_conditions */
ORDER BY m.destination_id, m.correlation_id, m.priority_order, m.message_id;
SELECT TOP (:max - @@ROWCOUNT) m.destination_id /* include message_columns */ /* include short_body */
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_correlation (destination_id, correlation_id, priority_order)))
WHERE m.destination_id = :destination_id
  AND m.correlation_id = :correlation_id AND m.correlation_id IS NOT NULL
  AND m.priority_order > :after_priority
  /* include header_conditions */
ORDER BY m.destination_id, m.correlation_id, m.priority_order, m.message_id
