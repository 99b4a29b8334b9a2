-- Deletes messages of one queue that have expired.
-- Parameters: :destination_id, :max
-- Found without a lock that stays and then locked by their keys, as by their consumers: a lock on message_expiry alone does not see that
-- a consumer has the message, would wait for it, and be in a deadlock with its acknowledgement.
-- Index: message_expiry from its start; message_key, one seek for each row.
-- Locks: U and then X on the deleted rows; rows that others hold are stepped over.
DECLARE @doomed TABLE (priority_order smallint NOT NULL, message_id bigint NOT NULL, PRIMARY KEY (priority_order, message_id));
INSERT INTO @doomed (priority_order, message_id)
SELECT TOP (:max) priority_order, message_id
FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK)
WHERE expires_at <= SYSUTCDATETIME() AND destination_id = :destination_id;
DELETE m
FROM @doomed AS k
INNER LOOP JOIN [readpast].message AS m
    WITH (READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
    ON m.destination_id = :destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
WHERE m.expires_at <= SYSUTCDATETIME()
