-- Counts a delivery that came back; the row is locked before with lock_message.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: primary key, one seek.
-- Locks: the row, which is held already.
UPDATE readpast.message
SET delivery_count = delivery_count + 1
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
