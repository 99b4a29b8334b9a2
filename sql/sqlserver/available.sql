-- Which of these queues have a message that has not expired; claimed ones are not told apart.
-- Parameters: :destination_ids (a JSON array of numbers)
-- Index: message_key, one seek for each queue.
-- Locks: S for a moment; rows that are being deleted are stepped over, also under row versioning.
SELECT w.id
FROM OPENJSON(:destination_ids) WITH (id int '$') AS w
WHERE EXISTS (
    SELECT 1
    FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id)))
    WHERE m.destination_id = w.id
      /* include unexpired */)
OPTION (KEEPFIXED PLAN)
