-- Deletes messages of one queue that have expired.
-- Parameters: :destination_id, :max
-- Index: message_expiry from its start; message_key for each row.
-- Locks: X on the deleted rows; rows that others hold are stepped over.
DELETE TOP (:max) FROM [readpast].message WITH (READPAST, ROWLOCK)
WHERE expires_at <= SYSUTCDATETIME() AND destination_id = :destination_id
