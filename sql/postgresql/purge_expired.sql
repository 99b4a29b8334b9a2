-- Deletes messages of one queue that have expired, the oldest first.
-- Parameters: :destination_id, :max
-- Index: message_expiry from its start; primary key, one seek for each row.
-- Locks: the deleted rows; rows that others hold are stepped over.
WITH doomed AS (
    SELECT destination_id, priority_order, message_id
    /* include free_expired */)
DELETE FROM readpast.message m
USING doomed h
WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
