-- Goes back to where mark_transaction was.
-- Parameters: none
-- Index: none.
-- Locks: releases those that were taken since.
ROLLBACK TO SAVEPOINT readpast_mark
