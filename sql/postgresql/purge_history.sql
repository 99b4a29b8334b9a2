-- Removes rows of the history that are older than their queue keeps them, or more than it keeps, and returns how many.
-- Parameters: :max
-- Index: see the function.
-- Locks: the deleted rows; rows that others hold are stepped over.
SELECT readpast.purge_history(NULL, :max) AS removed
