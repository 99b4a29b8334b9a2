-- Deletes claimed messages. The caller compares the number of deleted rows with the number of keys.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id)
-- Index: primary key, one seek for each key.
-- Locks: the deleted rows, which the claim holds already.
DELETE FROM readpast.message m
USING json_to_recordset(CAST(:keys AS json)) AS k (d int, p smallint, i bigint)
WHERE m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i
