-- Removes rows of the history that are older than their queue keeps them, or more than it keeps, and returns how many.
-- Parameters: :max
-- Index: a scan of [readpast].destination; message_history_key, a range for each queue.
-- Locks: X on the deleted rows; rows that others hold are stepped over.
DECLARE @removed int;
EXECUTE @removed = [readpast].purge_history @most = :max;
SELECT @removed AS removed
