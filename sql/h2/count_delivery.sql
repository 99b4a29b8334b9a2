-- Counts a delivery of a suspect message before it begins, and returns how many of its deliveries have been counted so and have
-- not ended, this one included. The caller holds the lock of the message in another transaction, and so is the only one.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: primary key of readpast.suspect_delivery, one seek.
-- Locks: the row.
SELECT deliveries FROM FINAL TABLE (
    MERGE INTO readpast.suspect_delivery AS s
    USING (VALUES (CAST(:destination_id AS INT), CAST(:priority_order AS SMALLINT), CAST(:message_id AS BIGINT)))
        AS n (destination_id, priority_order, message_id)
    ON s.destination_id = n.destination_id AND s.priority_order = n.priority_order AND s.message_id = n.message_id
    WHEN MATCHED THEN UPDATE SET deliveries = s.deliveries + 1
    WHEN NOT MATCHED THEN
        INSERT (destination_id, priority_order, message_id, deliveries)
        VALUES (n.destination_id, n.priority_order, n.message_id, 1))
