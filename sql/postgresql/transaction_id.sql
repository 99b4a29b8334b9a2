-- The id of the open transaction, null where it has written nothing.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT CAST(pg_current_xact_id_if_assigned() AS text) AS transaction_id
