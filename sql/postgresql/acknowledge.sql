-- Deletes claimed messages. The caller compares the number of deleted rows with the number of keys.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id)
-- Index: primary key, one seek for each key.
-- Locks: the deleted rows, which the claim holds already.
SELECT readpast.acknowledge(CAST(:keys AS json), NULL)
