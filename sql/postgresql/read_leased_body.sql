-- Reads a slice of the body of a leased message that was too large to come with the claim, from the message itself or from the
-- body it shares.
-- Parameters: :claim_token, :from (1 is the first byte), :length
-- Index: delayed_message_claim and primary key of readpast.shared_body, one seek each.
-- Locks: none.
SELECT m.body_format,
       CASE WHEN m.body_id IS NULL THEN substring(m.body FROM CAST(:from AS int) FOR CAST(:length AS int))
            ELSE substring(b.body FROM CAST(:from AS int) FOR CAST(:length AS int)) END AS body
FROM readpast.delayed_message m
LEFT JOIN readpast.shared_body b ON b.body_id = m.body_id
WHERE m.claim_token = CAST(:claim_token AS uuid)
