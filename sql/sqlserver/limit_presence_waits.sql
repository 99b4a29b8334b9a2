-- Has what follows on this connection wait for locks no longer than two seconds: it holds the presence of a JMS client, and is lent to one
-- session at a time, so that all of them would wait with the one that does.
-- Sent as text: within a call with parameters it would be over with that.
-- Parameters: none
-- Index: none.
-- Locks: none.
SET LOCK_TIMEOUT 2000
