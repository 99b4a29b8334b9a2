-- Moves messages of one queue that have expired to another queue, where they never expire. Fails, and moves nothing, where there is no
-- such queue.
-- Parameters: :destination_id, :target_id, :max
-- Index: message_expiry from its start; primary key, one seek for each row; readpast.destination by key.
-- Locks: the moved rows; rows that others hold are stepped over.
WITH doomed AS (
    SELECT destination_id, priority_order, message_id
    FROM readpast.message
    WHERE expires_at <= statement_timestamp() AND destination_id = :destination_id
    ORDER BY expires_at
    LIMIT :max
    FOR UPDATE SKIP LOCKED)
UPDATE readpast.message m
SET origin_id = m.destination_id,
    destination_id = :target_id,
    jms_destination = 'queue://' || (SELECT d.name FROM readpast.destination d WHERE d.destination_id = :target_id),
    jms_expiration = 0,
    enqueued_at = statement_timestamp(),
    expires_at = NULL,
    delivery_count = 0
FROM doomed h
WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
