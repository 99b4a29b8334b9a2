-- Counts a delivery that came back. A message that somebody else has claimed meanwhile is left alone.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: message_key, one seek.
-- Locks: X on the row, without waiting.
UPDATE [readpast].message WITH (READPAST, ROWLOCK)
SET delivery_count = delivery_count + 1
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
