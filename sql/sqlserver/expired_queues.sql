-- Lists queues and subscriptions that have messages that have expired, with the name of the queue or topic.
-- Parameters: none
-- Index: message_expiry up to now; [readpast].destination by key.
-- Locks: none kept; messages that others have written are stepped over.
SELECT d.destination_id, COALESCE(t.name, d.name)
FROM [readpast].destination AS d
LEFT JOIN [readpast].subscription s ON s.destination_id = d.destination_id
LEFT JOIN [readpast].destination t ON t.destination_id = s.topic_id
WHERE d.destination_id IN (
    SELECT m.destination_id
    FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_expiry (expires_at)))
    WHERE m.expires_at <= CAST(SYSUTCDATETIME() AS datetime2(3)) AND m.expires_at IS NOT NULL)
