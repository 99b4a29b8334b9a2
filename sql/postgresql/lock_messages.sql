-- Locks the messages with these keys, stepping over those that others hold.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id)
-- Index: primary key, one seek for each key.
-- Locks: FOR UPDATE on the rows returned until the transaction ends, without waiting.
SELECT * FROM readpast.lock_messages(CAST(:keys AS json))
