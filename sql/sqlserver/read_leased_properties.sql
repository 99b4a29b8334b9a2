-- Reads the stored properties of a leased message. Found by its token and then read by its key: see complete_leases.
-- Parameters: :claim_token
-- Index: delayed_message_claim, which has the key; delayed_message_key, one seek.
-- Locks: S for a moment.
/* include find_lease */;
SELECT properties
FROM [readpast].delayed_message
WHERE due_at = @due_at AND message_id = @message_id AND claim_token = @claim_token
