-- Goes back to where set_savepoint was; fails where the transaction has ended since.
-- Parameters: none
-- Index: none.
-- Locks: releases those that were taken since.
ROLLBACK TRANSACTION readpast_mark
