-- Locks delayed messages of a destination that is gone, and returns their keys. Leased ones stay until they are acknowledged, or swept
-- when their lease is over.
-- Parameters: :destination_id, :max
-- Index: delayed_message_destination.
-- Locks: FOR UPDATE on the rows returned until the transaction ends; those that others hold are stepped over, and swept.
SELECT due_at, message_id
FROM readpast.delayed_message
WHERE destination_id = :destination_id AND claim_token IS NULL
FETCH FIRST :max ROWS ONLY
FOR UPDATE SKIP LOCKED
