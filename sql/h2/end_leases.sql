-- Ends the leases of a JVM that is gone, their deliveries counted: they are over now, and whoever moves what is due puts the messages
-- back.
-- Parameters: :worker (the JVM's instance)
-- Index: delayed_message_claim, all of it: the leases that there are.
-- Locks: the rows.
UPDATE readpast.delayed_message
SET due_at = /* include now */
WHERE claim_token IS NOT NULL AND worker = :worker
