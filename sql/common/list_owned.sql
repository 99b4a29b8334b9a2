-- The temporary destinations of a JVM.
-- Parameters: :instance
-- Index: destination_owner.
-- Locks: none that lasts.
SELECT destination_id FROM readpast.destination WHERE owner = :instance
