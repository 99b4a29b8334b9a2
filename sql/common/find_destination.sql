-- The id of a destination.
-- Parameters: :kind, :name
-- Index: destination_name, one seek.
-- Locks: none that lasts.
SELECT destination_id FROM readpast.destination WHERE kind = :kind AND name = :name
