-- Which destinations have these ids.
-- Parameters: :destination_ids (a JSON array of numbers)
-- Index: primary key of [readpast].destination, one seek for each.
-- Locks: none that lasts.
SELECT d.destination_id, d.kind, d.name
FROM OPENJSON(:destination_ids) WITH (id int '$') AS w
INNER LOOP JOIN [readpast].destination AS d ON d.destination_id = w.id
