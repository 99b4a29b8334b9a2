-- Lists keys of messages of a destination, claimed and expired ones included.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max
-- Index: primary key, one range.
-- Locks: none.
SELECT destination_id, priority_order, message_id
FROM readpast.message
WHERE destination_id = :destination_id AND (priority_order, message_id) > (:after_priority, :after_id)
ORDER BY destination_id, priority_order, message_id
LIMIT :max
