-- Lists keys of messages that have expired, the oldest first.
-- Parameters: :max
-- Index: message_expiry from its start.
-- Locks: none.
SELECT destination_id, priority_order, message_id
FROM readpast.message
WHERE expires_at <= DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00')
ORDER BY expires_at
LIMIT :max
