-- The largest id of a destination: ids are an int, and are not given twice.
-- Parameters: none
-- Index: the end of the primary key of readpast.destination.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.destination
SELECT MAX(destination_id) AS largest_id
FROM readpast.destination
