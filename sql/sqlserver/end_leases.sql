-- Ends the leases of a JVM that is gone, their deliveries counted: they are over now, and whoever moves what is due puts the messages
-- back. See complete_leases for the order of the locks.
-- Parameters: :worker (the JVM's instance)
-- Index: delayed_message_claim, all of it: the leases that there are; delayed_message_key, one seek for each of the JVM's.
-- Locks: U and then X on the rows; rows that a mover holds are stepped over.
DECLARE @found TABLE (due_at datetime2(3) NOT NULL, message_id bigint NOT NULL, claim_token uniqueidentifier NOT NULL);
INSERT INTO @found (due_at, message_id, claim_token)
SELECT due_at, message_id, claim_token
FROM [readpast].delayed_message WITH (READPAST, READCOMMITTEDLOCK, INDEX (delayed_message_claim))
WHERE claim_token IS NOT NULL AND worker = :worker;
UPDATE m
SET due_at = SYSUTCDATETIME()
FROM @found AS f
INNER LOOP JOIN [readpast].delayed_message AS m
    WITH (READPAST, ROWLOCK, FORCESEEK, INDEX (delayed_message_key))
    ON m.due_at = f.due_at AND m.message_id = f.message_id AND m.claim_token = f.claim_token
