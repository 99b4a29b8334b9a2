-- Keeps JVMs from registering until the transaction ends.
-- Parameters: none
-- Index: none.
-- Locks: a lock on the table, beside which others read it.
LOCK TABLE readpast.presence IN SHARE MODE
