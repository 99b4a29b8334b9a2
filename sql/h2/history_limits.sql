-- Lists the queues whose history has an end: for how many days, and how many rows, null for no limit.
-- Parameters: none
-- Index: none; readpast.destination is read.
-- Locks: none.
SELECT destination_id, history_days, history_rows
FROM readpast.destination
WHERE history_days IS NOT NULL OR history_rows IS NOT NULL
