-- What tells the transaction of this connection from any other; null where none has been begun.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT CASE WHEN @@TRANCOUNT > 0 THEN CONCAT(@@SPID, ':', CURRENT_TRANSACTION_ID()) END AS transaction_name
