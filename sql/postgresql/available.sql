-- Which of these queues have a message that has not expired; claimed ones are not told apart.
-- Parameters: :destination_ids (an array literal such as {1,2})
-- Index: primary key, one seek for each queue.
-- Locks: none.
SELECT id FROM readpast.available(CAST(:destination_ids AS int[])) AS id
