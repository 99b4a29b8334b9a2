-- Milliseconds until the next delayed message is due, 0 if one is; no row where there is none.
-- Parameters: none
-- Index: delayed_message_key from its start, one row.
-- Locks: S for a moment; rows that are being moved are stepped over.
SELECT TOP (1) CASE WHEN due_at <= SYSUTCDATETIME() THEN 0 ELSE DATEDIFF_BIG(millisecond, SYSUTCDATETIME(), due_at) + 1 END AS millis
FROM [readpast].delayed_message WITH (READPAST, READCOMMITTEDLOCK)
ORDER BY due_at, message_id
