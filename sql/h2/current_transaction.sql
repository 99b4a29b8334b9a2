-- What tells the transaction of this connection from any other; null where none has been begun.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT SESSION_ID() || ':' || TRANSACTION_ID() AS transaction_name
