-- Which destinations have these ids. An id, its kind and its name are never changed, so that a row that somebody has changed otherwise and
-- not committed says the same.
-- Parameters: :destination_ids (a JSON array of numbers)
-- Index: primary key of [readpast].destination, one seek for each.
-- Locks: none.
SELECT d.destination_id, d.kind, d.name
FROM OPENJSON(:destination_ids) WITH (id int '$') AS w
INNER LOOP JOIN [readpast].destination AS d WITH (NOLOCK) ON d.destination_id = w.id
