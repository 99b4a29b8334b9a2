-- Notes that a JVM consumes from a destination, before it claims anything there: what it may have had in its hands when it dies.
-- Parameters: :destination_id, :instance, :by_lease (1 where it claims by lease alone, so that nothing there is in its hands by a lock; else 0)
-- Index: consumed_destination_key, one seek.
-- Locks: the new row.
INSERT INTO [readpast].consumed_destination (instance, destination_id, by_lease)
SELECT n.instance, n.destination_id, n.by_lease
FROM (SELECT CAST(:instance AS nvarchar(64)) AS instance, CAST(:destination_id AS int) AS destination_id,
             CAST(:by_lease AS smallint) AS by_lease) AS n
WHERE NOT EXISTS (
    SELECT 1 FROM [readpast].consumed_destination AS c WHERE c.instance = n.instance AND c.destination_id = n.destination_id)
