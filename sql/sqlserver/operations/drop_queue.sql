-- Removes a queue that has no messages. Who still sends to it is refused once, and makes it again.
-- Parameters: :queue
-- Index: destination_name, and one seek in each message table.
-- Locks: the row.
-- Rights: GRANT DELETE ON [readpast].destination
DELETE FROM [readpast].destination
WHERE kind = N'Q' AND name = :queue
  AND NOT EXISTS (SELECT 1 FROM [readpast].message AS m WHERE m.destination_id = [readpast].destination.destination_id)
  AND NOT EXISTS (SELECT 1 FROM [readpast].delayed_message AS y WHERE y.destination_id = [readpast].destination.destination_id)
