-- Removes delayed messages of a destination that is gone, and returns how many. Leased ones stay until they are acknowledged, or swept
-- when their lease is over.
-- Parameters: :destination_id, :max
-- Found without a lock that stays and then locked by their keys, as by those who move what is due: the other way round would be a deadlock.
-- Index: delayed_message_destination, a range, and delayed_message_key for each row of it; delayed_message_key, one seek for each row.
-- Locks: U and then X on the deleted rows; rows that others hold are stepped over, and swept.
DECLARE @doomed TABLE (due_at datetime2(3) NOT NULL, message_id bigint NOT NULL, PRIMARY KEY (due_at, message_id));
INSERT INTO @doomed (due_at, message_id)
SELECT TOP (:max) due_at, message_id
FROM [readpast].delayed_message WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (delayed_message_destination (destination_id)))
WHERE destination_id = :destination_id AND claim_token IS NULL
ORDER BY destination_id, due_at, message_id;
DELETE m
FROM @doomed AS k
INNER LOOP JOIN [readpast].delayed_message AS m WITH (READPAST, ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
    ON m.due_at = k.due_at AND m.message_id = k.message_id
WHERE m.claim_token IS NULL;
SELECT @@ROWCOUNT AS removed
