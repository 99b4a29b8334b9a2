-- Goes back to where mark_transaction was; fails where the transaction has ended since.
-- Parameters: none
-- Index: none.
-- Locks: releases those that were taken since.
ROLLBACK TRANSACTION readpast_mark
