-- Holds back what a queue has, or what is sent to it.
-- Parameters: :queue, :what (receive, send or both), :claimed_user
-- Index: destination_name.
-- Locks: the queue's row, for a moment.
-- Rights: GRANT readpast_manage
SELECT 1 AS done FROM readpast.pause(queue => :queue, what => :what, claimed_user => :claimed_user)
