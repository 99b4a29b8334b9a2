-- Which destinations have these ids.
-- Parameters: :destination_ids (an array literal such as {1,2})
-- Index: primary key of readpast.destination, one seek for each.
-- Locks: none that lasts.
SELECT destination_id, kind, name
FROM readpast.destination
WHERE destination_id = ANY (CAST(:destination_ids AS int[]))
