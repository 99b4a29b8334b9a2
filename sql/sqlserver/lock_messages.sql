-- Locks the messages with these keys, stepping over those that others hold.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id)
-- Index: message_key, one seek for each key.
-- Locks: U on the rows returned until the transaction ends, without waiting.
SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_timestamp
/* include free_rows */
