-- Reads the stored properties of a leased message. Found by its token and then read by its key: see complete_leases.
-- Parameters: :claim_token
-- Index: delayed_message_claim, which has the key; delayed_message_key, one seek.
-- Locks: S for a moment.
DECLARE @due_at datetime2(3), @message_id bigint, @claim_token uniqueidentifier = :claim_token;
SELECT @due_at = due_at, @message_id = message_id
FROM [readpast].delayed_message WITH (FORCESEEK (delayed_message_claim (claim_token)))
WHERE claim_token = @claim_token AND claim_token IS NOT NULL;
SELECT properties
FROM [readpast].delayed_message
WHERE due_at = @due_at AND message_id = @message_id AND claim_token = @claim_token
