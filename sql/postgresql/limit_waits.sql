-- Has what follows in this transaction wait for locks no longer than a second: whoever comes behind one who waits to change a table waits too.
-- Parameters: none
-- Index: none.
-- Locks: none.
SET LOCAL lock_timeout = '1s'
