-- Moves messages of one queue that have expired to another queue, where they never expire. Fails, and moves nothing, where there is no
-- such queue. Returns how many. See purge_expired for the order of the locks.
-- Parameters: :destination_id, :target_id, :max
-- Index: message_expiry up to now, as purge_expired; message_key, one seek for each row; [readpast].destination by key.
-- Locks: U and then X on the moved rows; rows that others hold are stepped over.
DECLARE @now datetime2(3) = SYSUTCDATETIME();
DECLARE @doomed TABLE (priority_order smallint NOT NULL, message_id bigint NOT NULL, PRIMARY KEY (priority_order, message_id));
INSERT INTO @doomed (priority_order, message_id)
SELECT TOP (:max) priority_order, message_id
FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_expiry (expires_at)))
WHERE expires_at <= @now AND expires_at IS NOT NULL AND destination_id = :destination_id
ORDER BY expires_at;
UPDATE m
SET origin_id = m.destination_id,
    destination_id = :target_id,
    jms_destination = N'queue://' + (SELECT d.name FROM [readpast].destination AS d WHERE d.destination_id = :target_id),
    jms_expiration = 0,
    enqueued_at = SYSUTCDATETIME(),
    expires_at = NULL,
    delivery_count = 0
FROM @doomed AS k
INNER LOOP JOIN [readpast].message AS m
    WITH (READPAST, ROWLOCK, FORCESEEK, INDEX (message_key))
    ON m.destination_id = :destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
WHERE m.expires_at <= @now;
SELECT @@ROWCOUNT AS removed
