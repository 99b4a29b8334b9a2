-- Moves messages of one queue that have expired to another queue, where they never expire. Fails, and moves nothing, where there is no
-- such queue. Returns how many. See purge_expired for the order of the locks.
-- Parameters: :destination_id, :target_id, :target (its name), :max
-- Index: message_expiry up to now, as purge_expired; message_key, one seek for each row; [readpast].destination by key.
-- Locks: U and then X on the moved rows; rows that others hold are stepped over.
/* include find_expired */;
UPDATE m
SET origin_id = m.destination_id /* include at_target */
FROM @doomed AS k
INNER LOOP JOIN [readpast].message AS m
    WITH (READPAST, ROWLOCK, FORCESEEK, INDEX (message_key))
    ON m.destination_id = :destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
WHERE m.expires_at <= @now;
SELECT @@ROWCOUNT AS removed
