-- Milliseconds until the next delayed message is due, 0 if one is; no row where there is none. At most 365 days: somebody may have written a
-- due_at of infinity or -infinity, which cannot be counted with.
-- Parameters: none
-- Index: primary key of readpast.delayed_message, its first row.
-- Locks: none.
SELECT CAST(ceil(extract(epoch FROM
    greatest(statement_timestamp(), least(due_at, statement_timestamp() + interval '365 days')) - statement_timestamp()) * 1000) AS bigint)
    AS millis
FROM readpast.delayed_message
ORDER BY due_at, message_id
LIMIT 1
