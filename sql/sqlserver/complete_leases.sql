-- Deletes messages by the tokens of their leases. The caller takes the count of the last statement, and compares it with the number
-- of tokens. They are found by their tokens, and then locked by their keys as by those who move what is due: the other way round
-- would be a deadlock.
-- Parameters: :tokens (a JSON array)
-- Index: delayed_message_claim, which has the key, and delayed_message_key, one seek each for each token.
-- Locks: X on the rows.
DECLARE @found TABLE (due_at datetime2(3) NOT NULL, message_id bigint NOT NULL, claim_token uniqueidentifier NOT NULL);
INSERT INTO @found (due_at, message_id, claim_token)
SELECT m.due_at, m.message_id, m.claim_token
FROM OPENJSON(:tokens) WITH (t uniqueidentifier '$') AS k
INNER LOOP JOIN [readpast].delayed_message AS m WITH (FORCESEEK (delayed_message_claim (claim_token)))
    ON m.claim_token = k.t AND m.claim_token IS NOT NULL;
DELETE m
FROM @found AS f
INNER LOOP JOIN [readpast].delayed_message AS m WITH (ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
    ON m.due_at = f.due_at AND m.message_id = f.message_id AND m.claim_token = f.claim_token;
SELECT @@ROWCOUNT AS completed
