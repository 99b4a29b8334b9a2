-- Which destinations have these ids.
-- Parameters: :destination_ids (an array literal such as {1,2})
-- Index: primary key of readpast.destination, one seek for each.
-- Locks: none that lasts.
SELECT d.destination_id, d.kind, d.name
FROM unnest(CAST(:destination_ids AS int[])) AS w (id)
CROSS JOIN LATERAL (SELECT * FROM readpast.destination WHERE destination_id = w.id LIMIT 1) d
