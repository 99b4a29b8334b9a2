-- Has what follows on this connection wait for locks no longer than a second: whoever comes behind one who waits to change a table waits too.
-- Sent as text: within a call with parameters it would be over with that.
-- Parameters: none
-- Index: none.
-- Locks: none.
SET LOCK_TIMEOUT 1000
