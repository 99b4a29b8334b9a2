-- Finds a leased message by its token.
DECLARE @due_at datetime2(3), @message_id bigint, @claim_token uniqueidentifier = :claim_token;
SELECT @due_at = due_at, @message_id = message_id
FROM [readpast].delayed_message WITH (FORCESEEK (delayed_message_claim (claim_token)))
WHERE claim_token = @claim_token AND claim_token IS NOT NULL
