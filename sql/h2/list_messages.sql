-- The keys of all messages of a destination that is being removed, claimed ones included.
-- Parameters: :destination_id
-- Index: primary key, a range.
-- Locks: none.
SELECT destination_id, priority_order, message_id FROM readpast.message WHERE destination_id = :destination_id
