-- Milliseconds until the next delayed message is due, 0 if one is; no row where there is none.
-- Parameters: none
-- Index: primary key of readpast.delayed_message, its first row.
-- Locks: none.
SELECT GREATEST(0, DATEDIFF('MILLISECOND', /* include now */, due_at)) AS millis
FROM readpast.delayed_message
ORDER BY due_at, message_id
LIMIT 1
