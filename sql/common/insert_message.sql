-- Puts one message into a queue, available at once.
-- Parameters: :destination_id, :priority_order, the headers, :properties (JSON or null), :body_kind, :body_format,
--   :body_length, :body (or null), :ttl_millis (what is left of the time to live, null for never)
-- Index: appends to all of readpast.message.
-- Locks: the new row.
INSERT INTO readpast.message (
    destination_id /* include sent_columns */, expires_at)
VALUES (
    :destination_id /* include sent_values */ /* include expiry */)
