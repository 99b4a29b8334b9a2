-- Gives back all client ids of a JVM.
-- Parameters: :instance
-- Index: client_id_instance.
-- Locks: the rows.
DELETE FROM readpast.client_id WHERE instance = :instance
