-- Removes rows of the history that are older than their queue keeps them, or more than it keeps, and returns how many.
-- Parameters: :max
-- Index: see the procedure.
-- Locks: X on the deleted rows; rows that others hold are stepped over.
DECLARE @removed int;
EXECUTE @removed = [readpast].purge_history @most = :max;
SELECT @removed AS removed
