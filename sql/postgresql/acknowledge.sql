-- Deletes claimed messages. The caller compares the number of deleted rows with the number of keys. The transaction's id comes along, so
-- that a commit in doubt can be asked for.
-- Parameters: :keys (an array of runs: destination_id, priority_order, the number of message_ids, and these in ascending order)
-- Index: primary key, one seek for each key.
-- Locks: the deleted rows, which the claim holds already.
SELECT readpast.acknowledge(CAST(:keys AS bigint[]), NULL) AS deleted, CAST(pg_current_xact_id() AS text) AS transaction_id
