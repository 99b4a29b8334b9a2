-- Removes the delayed messages of a destination that is being removed. Leased ones stay until they are acknowledged, or swept when
-- their lease is over.
-- Parameters: :destination_id
-- Index: delayed_message_destination.
-- Locks: the rows.
DELETE FROM readpast.delayed_message WHERE destination_id = :destination_id AND claim_token IS NULL
