-- Removes messages of a destination that is gone.
-- Parameters: :destination_id, :max
-- Index: primary key, a range.
-- Locks: the deleted rows; those that somebody has claimed are stepped over, and go when they are acknowledged or swept.
DELETE FROM readpast.message
WHERE ctid = ANY (ARRAY(
    SELECT ctid
    FROM readpast.message
    WHERE destination_id = :destination_id
    LIMIT :max
    FOR UPDATE SKIP LOCKED))
