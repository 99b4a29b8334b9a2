-- Counts a delivery of a suspect message before it begins, and returns how many of its deliveries have been counted so and have
-- not ended, this one included. The caller holds the lock of the message in another transaction, and so is the only one.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: primary key of readpast.suspect_delivery, one seek.
-- Locks: the row.
INSERT INTO readpast.suspect_delivery AS s (destination_id, priority_order, message_id, deliveries)
VALUES (:destination_id, :priority_order, :message_id, 1)
ON CONFLICT (destination_id, priority_order, message_id) DO UPDATE SET deliveries = s.deliveries + 1
RETURNING deliveries
