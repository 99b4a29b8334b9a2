-- Removes the messages of a destination that is being removed.
-- Parameters: :destination_id
-- Index: primary key, a range.
-- Locks: the rows; those that somebody has claimed are stepped over, and go when they are acknowledged or swept.
WITH doomed AS (
    SELECT destination_id, priority_order, message_id
    FROM readpast.message
    WHERE destination_id = :destination_id
    FOR UPDATE SKIP LOCKED)
DELETE FROM readpast.message m
USING doomed h
WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
