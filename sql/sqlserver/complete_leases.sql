-- Deletes messages by the tokens of their leases. The caller takes the count of the last statement, and compares it with the number
-- of tokens. They are found by their tokens, and then locked by their keys as by those who move what is due: the other way round
-- would be a deadlock.
-- Parameters: :tokens (a JSON array)
-- Index: delayed_message_claim, which has the key, and delayed_message_key, one seek each for each token.
-- Locks: X on the rows.
/* include find_leases */;
DELETE m
FROM @found AS f
INNER LOOP JOIN [readpast].delayed_message AS m WITH (ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
    ON m.due_at = f.due_at AND m.message_id = f.message_id AND m.claim_token = f.claim_token;
SELECT @@ROWCOUNT AS completed
