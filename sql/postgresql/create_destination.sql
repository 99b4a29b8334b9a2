-- Adds a destination, unless there is one of this kind and name.
-- Parameters: :kind, :name
-- Index: destination_name.
-- Locks: the new row; waits for another that is adding the same.
INSERT INTO readpast.destination (kind, name)
VALUES (:kind, :name)
ON CONFLICT (kind, name) DO NOTHING
