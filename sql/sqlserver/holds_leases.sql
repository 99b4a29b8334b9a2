-- One row if a JVM holds messages by lease.
-- Parameters: :worker (the JVM's instance)
-- Index: delayed_message_claim, all of it: the leases that there are.
-- Locks: none.
SELECT 1
WHERE EXISTS (
    SELECT 1
    FROM [readpast].delayed_message WITH (NOLOCK, INDEX (delayed_message_claim))
    WHERE claim_token IS NOT NULL AND worker = :worker)
