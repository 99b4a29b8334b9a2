-- Locks a message that came back, unless somebody else holds it; no row then.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: primary key, one seek.
-- Locks: FOR UPDATE on the row until the transaction ends, without waiting.
SELECT jms_message_id, jms_timestamp
/* include free_row */
