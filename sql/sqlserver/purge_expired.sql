-- Deletes messages of one queue that have expired, the oldest first, and returns how many.
-- Parameters: :destination_id, :max
-- Found without a lock that stays and then locked by their keys, as by their consumers: a lock on message_expiry alone does not see that
-- a consumer has the message, would wait for it, and be in a deadlock with its acknowledgement.
-- Index: message_expiry up to now, where what has expired of other queues is passed by; message_key, one seek for each row.
-- Locks: U and then X on the deleted rows; rows that others hold are stepped over.
DECLARE @now datetime2(3) = SYSUTCDATETIME();
DECLARE @doomed TABLE (priority_order smallint NOT NULL, message_id bigint NOT NULL, PRIMARY KEY (priority_order, message_id));
INSERT INTO @doomed (priority_order, message_id)
SELECT TOP (:max) priority_order, message_id
FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_expiry (expires_at)))
WHERE expires_at <= @now AND expires_at IS NOT NULL AND destination_id = :destination_id
ORDER BY expires_at;
DELETE m
FROM @doomed AS k
INNER LOOP JOIN [readpast].message AS m
    WITH (READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = :destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
WHERE m.expires_at <= @now;
SELECT @@ROWCOUNT AS removed
