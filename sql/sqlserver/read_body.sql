-- Reads a slice of a body that was too large to come with the claim, from the message itself or from the body it shares.
-- Parameters: :destination_id, :priority_order, :message_id, :from (1 is the first byte), :length
-- Index: message_key and shared_body_key, one seek each.
-- Locks: S for a moment; a message that somebody else is deleting is stepped over. The body of one that is there is never
--   locked for longer than a moment, and is waited for.
SELECT m.body_format,
       CASE WHEN m.body_id IS NULL THEN SUBSTRING(m.body, :from, :length) ELSE SUBSTRING(b.body, :from, :length) END AS body
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK)
LEFT OUTER LOOP JOIN [readpast].shared_body AS b WITH (FORCESEEK) ON b.body_id = m.body_id
WHERE m.destination_id = :destination_id AND m.priority_order = :priority_order AND m.message_id = :message_id
