-- Takes a client id, unless somebody has it; on SQL Server trailing blanks do not make it another.
-- Parameters: :client_id, :instance
-- Index: primary key of readpast.client_id.
-- Locks: the new row; waits for another that is taking the same, and may then fail with a duplicate key.
INSERT INTO readpast.client_id (client_id, instance)
SELECT :client_id, :instance
WHERE NOT EXISTS (SELECT 1 FROM readpast.client_id WHERE client_id = :client_id)
