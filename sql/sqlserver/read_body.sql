-- Reads a slice of a body that was too large to come with the claim.
-- Parameters: :destination_id, :priority_order, :message_id, :from (1 is the first byte), :length
-- Index: message_key, one seek.
-- Locks: S for a moment; a row that somebody else is deleting is stepped over.
SELECT body_format, SUBSTRING(body, :from, :length) AS body
FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK)
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
