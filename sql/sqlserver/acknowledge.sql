-- Deletes claimed messages. The caller compares the number of deleted rows with the number of keys.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id)
-- Index: message_key, one seek for each key.
-- Locks: X on the deleted rows, which the claim holds already.
DELETE m
/* include claimed_rows */
OPTION (KEEPFIXED PLAN)
