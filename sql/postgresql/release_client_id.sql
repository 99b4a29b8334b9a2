-- Gives a client id back.
-- Parameters: :client_id, :instance
-- Index: primary key of readpast.client_id.
-- Locks: the row.
SELECT readpast.release_client_id(:client_id, :instance)
