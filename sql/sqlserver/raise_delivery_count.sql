-- Counts a delivery that came back. A message that somebody else has claimed meanwhile is left alone.
-- A count that nobody has counted to, below 0 or at the end of int, is followed by 1.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: message_key, one seek.
-- Locks: X on the row, without waiting.
UPDATE [readpast].message WITH (READPAST, ROWLOCK)
SET delivery_count = CASE WHEN delivery_count BETWEEN 0 AND 2147483646 THEN delivery_count + 1 ELSE 1 END
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
