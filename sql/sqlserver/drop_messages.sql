-- Removes all messages of a destination that is being removed.
-- Parameters: :destination_id
-- Index: primary key, a range.
-- Locks: the rows.
DELETE FROM [readpast].message WHERE destination_id = :destination_id
