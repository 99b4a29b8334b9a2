-- Which of these queues have a message that has not expired; claimed ones are not told apart.
-- Parameters: :destination_ids (an array)
-- Index: primary key, one seek for each queue.
-- Locks: none.
SELECT w.id
FROM UNNEST(CAST(:destination_ids AS INTEGER ARRAY)) AS w (id)
WHERE EXISTS (
    SELECT 1
    FROM readpast.message m
    WHERE m.destination_id = w.id
      /* include unexpired */)
