-- Finds leased messages by their tokens (@found).
DECLARE @found TABLE (due_at datetime2(3) NOT NULL, message_id bigint NOT NULL, claim_token uniqueidentifier NOT NULL);
INSERT INTO @found (due_at, message_id, claim_token)
SELECT m.due_at, m.message_id, m.claim_token
FROM OPENJSON(:tokens) WITH (t uniqueidentifier '$') AS k
INNER LOOP JOIN [readpast].delayed_message AS m WITH (FORCESEEK (delayed_message_claim (claim_token)))
    ON m.claim_token = k.t AND m.claim_token IS NOT NULL
