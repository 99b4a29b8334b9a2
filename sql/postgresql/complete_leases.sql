-- Deletes messages by the tokens of their leases, and returns how many were there.
-- Parameters: :tokens (a JSON array)
-- Index: delayed_message_claim, one seek for each token.
-- Locks: the rows.
SELECT readpast.complete_leases(CAST(:tokens AS json))
