-- Deletes messages of queues with a history by the tokens of their leases, notes in it that they are completed, and returns how many
-- were there.
-- Parameters: :tokens (a JSON array), :consumer
-- Index: delayed_message_claim, one seek for each token; appends to that of readpast.message_history for each queue.
-- Locks: the rows.
SELECT readpast.complete_leases_with_history(CAST(:tokens AS json), :consumer)
