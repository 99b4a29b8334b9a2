-- Finds expired messages of a queue (@doomed), without a lock that lasts.
DECLARE @now datetime2(3) = SYSUTCDATETIME();
DECLARE @doomed TABLE (priority_order smallint NOT NULL, message_id bigint NOT NULL, PRIMARY KEY (priority_order, message_id));
INSERT INTO @doomed (priority_order, message_id)
SELECT TOP (:max) priority_order, message_id
FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_expiry (expires_at)))
WHERE expires_at <= @now AND expires_at IS NOT NULL AND destination_id = :destination_id
ORDER BY expires_at
