-- Goes back to where set_savepoint was.
-- Parameters: none
-- Index: none.
-- Locks: releases those that were taken since.
ROLLBACK TO SAVEPOINT readpast_mark
