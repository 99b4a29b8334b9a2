-- Counts a delivery that came back. A message that somebody else has claimed meanwhile is left alone.
-- A count that nobody has counted to, below 0 or at the end of int, is followed by 1.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: primary key, one seek.
-- Locks: the row, without waiting.
WITH held AS (
    SELECT destination_id, priority_order, message_id
    /* include free_row */)
UPDATE readpast.message m
SET delivery_count = CASE WHEN m.delivery_count BETWEEN 0 AND 2147483646 THEN m.delivery_count + 1 ELSE 1 END
FROM held h
WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
