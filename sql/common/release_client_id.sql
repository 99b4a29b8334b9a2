-- Gives a client id back.
-- Parameters: :client_id, :instance
-- Index: primary key of readpast.client_id.
-- Locks: the row.
DELETE FROM readpast.client_id WHERE client_id = :client_id AND instance = :instance
