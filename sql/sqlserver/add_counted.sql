-- A delivery of a suspect message ends, whose lock the caller holds: the message gets the deliveries that were counted before this
-- one and never ended, because the consumer's JVM died. This one is counted as any other is.
-- A count that nobody has counted to stays as it is.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: message_key and suspect_delivery_key, one seek each.
-- Locks: U on the count, and then X on the row of the message, which is held already. Who sweeps counts steps over rows that somebody
--   changes, and would take the count for one whose message is gone.
UPDATE [readpast].message WITH (ROWLOCK)
SET delivery_count = delivery_count + (
    SELECT s.deliveries - 1
    FROM [readpast].suspect_delivery AS s
    WHERE s.destination_id = :destination_id AND s.priority_order = :priority_order AND s.message_id = :message_id)
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
  AND delivery_count BETWEEN 0 AND 1000000000
  AND EXISTS (
    SELECT 1
    FROM [readpast].suspect_delivery AS s WITH (UPDLOCK, ROWLOCK)
    WHERE s.destination_id = :destination_id AND s.priority_order = :priority_order AND s.message_id = :message_id
      AND s.deliveries > 1)
