-- Reads the stored properties of a leased message.
-- Parameters: :claim_token
-- Index: delayed_message_claim, one seek.
-- Locks: none.
SELECT properties
FROM readpast.delayed_message
WHERE claim_token = CAST(:claim_token AS uuid)
