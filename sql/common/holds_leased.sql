-- One row if messages of a destination are leased.
-- Parameters: :destination_id
-- Index: delayed_message_destination.
-- Locks: none.
SELECT 1
WHERE EXISTS (SELECT 1 FROM readpast.delayed_message WHERE destination_id = :destination_id AND claim_token IS NOT NULL)
