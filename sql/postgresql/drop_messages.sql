-- Removes the messages of a destination that is being removed.
-- Parameters: :destination_id
-- Index: primary key, a range.
-- Locks: the rows; those that somebody has claimed are stepped over, and go when they are acknowledged or swept.
DELETE FROM readpast.message
WHERE ctid = ANY (ARRAY(
    SELECT ctid
    FROM readpast.message
    WHERE destination_id = :destination_id
    FOR UPDATE SKIP LOCKED))
