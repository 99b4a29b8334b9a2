-- Removes a delayed message of a destination that is gone; the row is locked before with lock_delayed.
-- Parameters: :due_at (as text), :message_id
-- Index: primary key, one seek.
-- Locks: the row, which is held already.
DELETE FROM readpast.delayed_message
WHERE due_at = CAST(:due_at AS timestamp(3) with time zone) AND message_id = :message_id
