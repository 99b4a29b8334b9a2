-- Takes a client id, unless somebody has it.
-- Parameters: :client_id, :instance
-- Index: primary key of readpast.client_id.
-- Locks: the new row; waits for another that is taking the same.
INSERT INTO readpast.client_id (client_id, instance)
VALUES (:client_id, :instance)
ON CONFLICT (client_id) DO NOTHING
