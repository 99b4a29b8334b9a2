-- Holds back what a queue has, or what is sent to it.
-- Parameters: :queue, :what (receive, send or both), :claimed_user
-- Index: destination_name.
-- Locks: the queue's row, for a moment.
-- Rights: ALTER ROLE readpast_manage ADD MEMBER, or GRANT EXECUTE ON [readpast].pause
EXECUTE [readpast].pause @queue = :queue, @what = :what, @claimed_user = :claimed_user
