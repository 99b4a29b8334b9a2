-- Counts a delivery that came back; the row is locked before with lock_message.
-- A count that nobody has counted to, below 0 or at the end of int, is followed by 1.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: primary key, one seek.
-- Locks: the row, which is held already.
UPDATE readpast.message
SET delivery_count = CASE WHEN delivery_count BETWEEN 0 AND 2147483646 THEN delivery_count + 1 ELSE 1 END
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
