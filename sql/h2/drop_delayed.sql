-- Removes all delayed messages of a destination that is being removed.
-- Parameters: :destination_id
-- Index: delayed_message_destination.
-- Locks: the rows.
DELETE FROM readpast.delayed_message WHERE destination_id = :destination_id
