-- Lists keys of messages of one queue that have expired, the oldest first.
-- Parameters: :destination_id, :max, :behind (how many of the oldest to leave out)
-- Index: message_expiry from its start.
-- Locks: none.
SELECT destination_id, priority_order, message_id
FROM readpast.message
WHERE expires_at <= /* include now */
  AND destination_id = :destination_id
ORDER BY expires_at
LIMIT :max OFFSET :behind
