-- Moves a message to another queue, as one that is available at once and never expires. A message that somebody else has
-- claimed meanwhile is left alone. Fails, and moves nothing, where there is no such queue.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id, :properties (JSON or null), :keep_properties (1 where it keeps its own)
-- Index: primary key, one seek; readpast.destination by key.
-- Locks: the row, without waiting.
WITH held AS (
    SELECT destination_id, priority_order, message_id
    FROM readpast.message
    WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
    FOR UPDATE SKIP LOCKED)
UPDATE readpast.message m
SET origin_id = m.destination_id,
    destination_id = :target_id,
    jms_destination = 'queue://' || (SELECT d.name FROM readpast.destination d WHERE d.destination_id = :target_id),
    jms_expiration = 0,
    properties = CASE WHEN CAST(:keep_properties AS int) = 1 THEN m.properties ELSE CAST(:properties AS json) END,
    enqueued_at = statement_timestamp(),
    expires_at = NULL,
    delivery_count = 0
FROM held h
WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
