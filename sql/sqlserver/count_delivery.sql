-- Counts a delivery of a suspect message before it begins, and returns how many of its deliveries have been counted so and have
-- not ended, this one included. The caller holds the lock of the message in another transaction, and so is the only one.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: suspect_delivery_key, one seek.
-- Locks: X on the row.
UPDATE [readpast].suspect_delivery WITH (ROWLOCK)
SET deliveries = deliveries + 1
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id;
IF @@ROWCOUNT = 0
    INSERT INTO [readpast].suspect_delivery (destination_id, priority_order, message_id, deliveries)
    VALUES (:destination_id, :priority_order, :message_id, 1);
SELECT deliveries
FROM [readpast].suspect_delivery
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
