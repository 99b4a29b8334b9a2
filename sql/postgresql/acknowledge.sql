-- Deletes claimed messages. The caller compares the number of deleted rows with the number of keys. The transaction's id comes along, so
-- that a commit in doubt can be asked for.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id)
-- Index: primary key, one seek for each key.
-- Locks: the deleted rows, which the claim holds already.
SELECT readpast.acknowledge(CAST(:keys AS json), NULL) AS deleted, CAST(pg_current_xact_id() AS text) AS transaction_id
