-- Removed destinations for which there are messages all the same.
-- Parameters: none
-- Index: message_key, one seek for each; delayed_message_destination.
-- Locks: none; what is not committed is seen too, and stepped over when it comes to removing it.
SELECT d.destination_id
FROM [readpast].dropped_destination d
WHERE EXISTS (SELECT 1 FROM [readpast].message m WITH (NOLOCK) WHERE m.destination_id = d.destination_id)
   OR EXISTS (SELECT 1 FROM [readpast].delayed_message m WITH (NOLOCK) WHERE m.destination_id = d.destination_id)
