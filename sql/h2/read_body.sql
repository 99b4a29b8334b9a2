-- Reads a slice of a body that was too large to come with the claim.
-- Parameters: :destination_id, :priority_order, :message_id, :from (1 is the first byte), :length
-- Index: primary key, one seek.
-- Locks: none.
SELECT body_format, SUBSTRING(body FROM :from FOR :length) AS body
FROM readpast.message
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
