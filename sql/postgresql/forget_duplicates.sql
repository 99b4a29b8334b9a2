-- Forgets duplicate ids that are due to be forgotten, the oldest first.
-- Parameters: :max
-- Index: duplicate_id_forget from its start.
-- Locks: the deleted rows; those that somebody is renewing are stepped over.
DELETE FROM readpast.duplicate_id
WHERE ctid = ANY (ARRAY(
    SELECT ctid
    FROM readpast.duplicate_id
    WHERE forget_at <= statement_timestamp()
    ORDER BY forget_at
    LIMIT :max
    FOR UPDATE SKIP LOCKED))
