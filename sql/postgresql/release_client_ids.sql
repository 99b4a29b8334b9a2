-- Gives back all client ids of a JVM.
-- Parameters: :instance
-- Index: client_id_instance.
-- Locks: the rows.
SELECT readpast.release_client_ids(:instance)
