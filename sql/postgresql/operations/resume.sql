-- Ends a pause.
-- Parameters: :queue, :claimed_user
-- Index: destination_name.
-- Locks: the queue's row, for a moment.
-- Rights: GRANT readpast_manage
SELECT 1 AS done FROM readpast.resume(queue => :queue, claimed_user => :claimed_user)
