-- Notes that a JVM consumes from a destination, before it claims anything there: what it may have had in its hands when it dies.
-- Parameters: :destination_id, :instance
-- Index: primary key of readpast.consumed_destination, one seek.
-- Locks: the new row.
INSERT INTO readpast.consumed_destination (instance, destination_id)
SELECT n.instance, n.destination_id
FROM (SELECT CAST(:instance AS varchar(64)) AS instance, CAST(:destination_id AS int) AS destination_id) AS n
WHERE NOT EXISTS (
    SELECT 1 FROM readpast.consumed_destination AS c WHERE c.instance = n.instance AND c.destination_id = n.destination_id)
