-- Lists keys of messages of one queue that have expired, the oldest first.
-- Parameters: :destination_id, :max
-- Index: message_expiry from its start.
-- Locks: none.
SELECT destination_id, priority_order, message_id
FROM readpast.message
WHERE expires_at <= DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00')
  AND destination_id = :destination_id
ORDER BY expires_at
LIMIT :max
