-- Removed destinations for which there are messages all the same.
-- Parameters: none
-- Index: primary key of readpast.message, one seek for each; delayed_message_destination.
-- Locks: none.
SELECT d.destination_id
FROM readpast.dropped_destination d
WHERE EXISTS (SELECT 1 FROM readpast.message m WHERE m.destination_id = d.destination_id)
   OR EXISTS (SELECT 1 FROM readpast.delayed_message m WHERE m.destination_id = d.destination_id)
