-- Removes delayed messages of a destination that is gone. Leased ones stay until they are acknowledged, or swept when their lease is over.
-- Parameters: :destination_id, :max
-- Index: delayed_message_destination.
-- Locks: the deleted rows; those that others hold are stepped over, and swept.
DELETE FROM readpast.delayed_message
WHERE ctid = ANY (ARRAY(
    SELECT ctid
    FROM readpast.delayed_message
    WHERE destination_id = :destination_id AND claim_token IS NULL
    LIMIT :max
    FOR UPDATE SKIP LOCKED))
