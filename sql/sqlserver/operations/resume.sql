-- Ends a pause.
-- Parameters: :queue, :claimed_user
-- Index: destination_name.
-- Locks: the queue's row, for a moment.
-- Rights: ALTER ROLE readpast_manage ADD MEMBER, or GRANT EXECUTE ON [readpast].resume
EXECUTE [readpast].resume @queue = :queue, @claimed_user = :claimed_user
