-- Deletes a message by the token of its lease. The caller counts the deleted rows.
-- Parameters: :claim_token
-- Index: delayed_message_claim, one seek.
-- Locks: the row.
DELETE FROM readpast.delayed_message WHERE claim_token = CAST(:claim_token AS UUID)
