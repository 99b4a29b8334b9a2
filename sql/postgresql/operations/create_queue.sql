-- Makes a queue, or sets what becomes of its messages that fail in programs in SQL.
-- Parameters: :queue, :maximum_attempts, :dead_letter_queue (null for what it is, of a new queue 10 and DLQ), :claimed_user
-- Index: destination_name.
-- Locks: the new row.
-- Rights: GRANT readpast_manage
SELECT 1 AS done FROM readpast.create_queue(queue => :queue, maximum_attempts => :maximum_attempts, dead_letter_queue => :dead_letter_queue,
    claimed_user => :claimed_user)
