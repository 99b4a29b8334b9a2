-- Puts leased messages back into their queues, with their delivery counts as they were before the claim, and returns their keys;
-- passes by those whose lease is over and which are back already.
-- Parameters: :tokens (a JSON array)
-- Index: delayed_message_claim, one seek for each token; appends to readpast.message.
-- Locks: the rows, and the new ones, which nobody sees before the transaction commits.
SELECT * FROM readpast.return_leases(CAST(:tokens AS json))
