-- Lists keys of messages of a destination, claimed and expired ones included. Two results, because SQL Server cannot seek behind a key of
-- two columns.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max
-- Index: message_key, two ranges; no sort.
-- Locks: S for a moment on each row; rows that are being written are stepped over, also under row versioning.
SELECT TOP (:max) destination_id, priority_order, message_id
FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
WHERE destination_id = :destination_id
  AND priority_order = :after_priority AND message_id > :after_id
ORDER BY destination_id, priority_order, message_id;
SELECT TOP (:max - @@ROWCOUNT) destination_id, priority_order, message_id
FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
WHERE destination_id = :destination_id
  AND priority_order > :after_priority
ORDER BY destination_id, priority_order, message_id
