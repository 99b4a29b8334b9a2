-- Adds a destination that goes with an instance, unless there is one of this kind and name.
-- Parameters: :kind, :name, :owner (the instance)
-- Index: destination_name.
-- Locks: the new row; waits for another that is adding the same.
INSERT INTO readpast.destination (kind, name, owner)
VALUES (:kind, :name, :owner)
ON CONFLICT (kind, name) DO NOTHING
