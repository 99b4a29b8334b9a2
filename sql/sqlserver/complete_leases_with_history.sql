-- Deletes messages of queues with a history by the tokens of their leases, and notes in it that they are completed. The caller compares
-- the count of the last statement with the number of tokens. They are found and locked as by complete_leases.
-- Parameters: :tokens (a JSON array), :consumer
-- Index: delayed_message_claim, which has the key, and delayed_message_key, one seek each for each token; appends to message_history_key
--   for each queue.
-- Locks: X on the rows.
/* include find_leases */;
DELETE m
OUTPUT
    SYSUTCDATETIME() /* include deleted_history_columns */, deleted.body, deleted.delivery_count, deleted.enqueued_at, deleted.claimed_at,
    :consumer, N'completed'
INTO [readpast].message_history (
    completed_at /* include history_columns */, body, delivery_count, enqueued_at, claimed_at, consumer, outcome)
FROM @found AS f
INNER LOOP JOIN [readpast].delayed_message AS m WITH (ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
    ON m.due_at = f.due_at AND m.message_id = f.message_id AND m.claim_token = f.claim_token;
SELECT @@ROWCOUNT AS completed
