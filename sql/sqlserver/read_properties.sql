-- Reads the stored properties of a message.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: message_key, one seek.
-- Locks: S for a moment; a row that somebody else is deleting is stepped over.
SELECT properties
FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK)
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
