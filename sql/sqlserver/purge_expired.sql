-- Deletes messages that have expired.
-- Parameters: :max
-- Index: message_expiry from its start; message_key for each row.
-- Locks: X on the deleted rows; rows that others hold are stepped over.
DELETE TOP (:max) FROM [readpast].message WITH (READPAST, ROWLOCK)
WHERE expires_at <= SYSUTCDATETIME()
