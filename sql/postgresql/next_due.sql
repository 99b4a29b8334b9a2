-- Milliseconds until the next delayed message is due, 0 if one is; no row where there is none.
-- Parameters: none
-- Index: primary key of readpast.delayed_message, its first row.
-- Locks: none.
SELECT greatest(0, CAST(ceil(extract(epoch FROM due_at - statement_timestamp()) * 1000) AS bigint)) AS millis
FROM readpast.delayed_message
ORDER BY due_at, message_id
LIMIT 1
