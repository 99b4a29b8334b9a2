-- Reads a slice of a body that was too large to come with the claim, from the message itself or from the body it shares.
-- Parameters: :destination_id, :priority_order, :message_id, :from (1 is the first byte), :length
-- Index: primary keys of readpast.message and readpast.shared_body, one seek each.
-- Locks: none.
SELECT m.body_format,
       CASE WHEN m.body_id IS NULL THEN SUBSTRING(m.body FROM :from FOR :length)
            ELSE SUBSTRING(b.body FROM :from FOR :length) END AS body
FROM readpast.message m
LEFT JOIN readpast.shared_body b ON b.body_id = m.body_id
WHERE m.destination_id = :destination_id AND m.priority_order = :priority_order AND m.message_id = :message_id
