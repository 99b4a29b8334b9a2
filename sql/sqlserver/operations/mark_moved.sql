-- Says that a queue leaves this database for another one, or comes to it from there.
-- Parameters: :queue, :moved (away, here, or null for neither), :database (what routes call the other one, or null), :claimed_user
-- Index: destination_name.
-- Locks: the queue's row, for a moment.
-- Rights: ALTER ROLE readpast_manage ADD MEMBER, or GRANT EXECUTE ON [readpast].mark_moved
EXECUTE [readpast].mark_moved @queue = :queue, @moved = :moved, @database = :database, @claimed_user = :claimed_user
