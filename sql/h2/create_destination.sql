-- Adds a destination, unless there is one of this kind and name.
-- Parameters: :kind, :name
-- Index: destination_name.
-- Locks: the new row; waits for another that is adding the same, and may then fail with a duplicate key.
INSERT INTO readpast.destination (kind, name)
SELECT :kind, :name
WHERE NOT EXISTS (SELECT 1 FROM readpast.destination WHERE kind = :kind AND name = :name)
