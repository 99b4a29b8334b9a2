-- Forgets duplicate ids that are due to be forgotten.
-- Parameters: :max
-- Index: duplicate_id_forget from its start; duplicate_id_key for each row.
-- Locks: X on the deleted rows; those that somebody is renewing are stepped over.
DELETE TOP (:max) FROM [readpast].duplicate_id WITH (READPAST, ROWLOCK)
WHERE forget_at <= SYSUTCDATETIME()
