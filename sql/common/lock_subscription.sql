-- Locks a subscription, if there is one of this name.
-- Parameters: :name
-- Index: destination_name, one seek.
-- Locks: the row, until the transaction ends.
UPDATE readpast.destination SET version = version + 1 WHERE kind = 'S' AND name = :name
