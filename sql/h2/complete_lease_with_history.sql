-- Deletes a message of a queue with a history by the token of its lease, and notes in it that it is completed. The caller counts the
-- deleted rows. enqueued_at may have been rounded up.
-- Parameters: :claim_token, :consumer
-- Index: delayed_message_claim, one seek; appends to that of readpast.message_history for each queue.
-- Locks: the row.
INSERT INTO readpast.message_history (
    completed_at, claimed_at /* include history_columns */, body, delivery_count, enqueued_at, consumer, outcome)
SELECT
    GREATEST(enqueued_at, /* include now */), GREATEST(enqueued_at, claimed_at) /* include history_columns */, body, delivery_count,
    enqueued_at, :consumer, 'completed'
FROM OLD TABLE (
    /* include complete_lease */)
