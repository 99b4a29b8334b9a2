-- Removed destinations for which there are messages all the same.
-- Parameters: none
-- Index: a scan of a small table; message_key and delayed_message_destination, one seek each for each row.
-- Locks: none; what is not committed is seen too, and stepped over when it comes to removing it.
SELECT d.destination_id
FROM [readpast].dropped_destination AS d WITH (NOLOCK)
WHERE EXISTS (
        SELECT 1
        FROM [readpast].message AS m WITH (NOLOCK, FORCESEEK (message_key (destination_id)))
        WHERE m.destination_id = d.destination_id)
   OR EXISTS (
        SELECT 1
        FROM [readpast].delayed_message AS y WITH (NOLOCK, FORCESEEK (delayed_message_destination (destination_id)))
        WHERE y.destination_id = d.destination_id)
