-- Locks the messages with these keys, stepping over those that others hold.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id)
-- Index: primary key, one seek for each key.
-- Locks: FOR UPDATE on the rows returned until the transaction ends, without waiting.
SELECT m.destination_id, m.priority_order, m.message_id
FROM json_to_recordset(CAST(:keys AS json)) AS k (d int, p smallint, i bigint)
JOIN readpast.message m ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i
FOR UPDATE OF m SKIP LOCKED
