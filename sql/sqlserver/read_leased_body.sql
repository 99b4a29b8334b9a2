-- Reads a slice of the body of a leased message that was too large to come with the claim, from the message itself or from the
-- body it shares. Found by its token and then read by its key: see complete_leases.
-- Parameters: :claim_token, :from (1 is the first byte), :length
-- Index: delayed_message_claim, which has the key; delayed_message_key and shared_body_key, one seek each.
-- Locks: S for a moment.
/* include find_lease */;
SELECT m.body_format,
       CASE WHEN m.body_id IS NULL THEN SUBSTRING(m.body, :from, :length) ELSE SUBSTRING(b.body, :from, :length) END AS body
FROM [readpast].delayed_message AS m
LEFT OUTER LOOP JOIN [readpast].shared_body AS b WITH (FORCESEEK) ON b.body_id = m.body_id
WHERE m.due_at = @due_at AND m.message_id = @message_id AND m.claim_token = @claim_token
