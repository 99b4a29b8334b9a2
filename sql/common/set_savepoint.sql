-- Marks the place in the open transaction that roll_back_to_savepoint goes back to.
-- Parameters: none
-- Index: none.
-- Locks: none.
SAVEPOINT readpast_mark
