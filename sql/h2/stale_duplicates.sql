-- Locks duplicate ids that are due to be forgotten, stepping over those that somebody is renewing.
-- Parameters: :max
-- Index: duplicate_id_forget from its start.
-- Locks: the rows returned, until the transaction ends, without waiting.
SELECT destination_id, duplicate_id
FROM readpast.duplicate_id
WHERE forget_at <= /* include now */
ORDER BY forget_at
FETCH FIRST :max ROWS ONLY
FOR UPDATE SKIP LOCKED
