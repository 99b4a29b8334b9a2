-- Which destinations have these ids.
-- Parameters: :destination_ids (an array)
-- Index: primary key of readpast.destination, one seek for each.
-- Locks: none that lasts.
SELECT d.destination_id, d.kind, d.name
FROM UNNEST(CAST(:destination_ids AS INTEGER ARRAY)) AS w (id)
JOIN readpast.destination AS d ON d.destination_id = w.id
