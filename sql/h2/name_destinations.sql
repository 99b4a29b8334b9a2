-- Which destinations have these ids.
-- Parameters: :destination_ids (an array)
-- Index: primary key of readpast.destination, one seek for each.
-- Locks: none that lasts.
SELECT destination_id, kind, name
FROM readpast.destination
WHERE destination_id IN (SELECT w.id FROM UNNEST(CAST(:destination_ids AS INTEGER ARRAY)) AS w (id))
