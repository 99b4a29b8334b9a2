-- Makes a queue, or sets what becomes of its messages that fail in programs in SQL.
-- Parameters: :queue, :maximum_attempts (null for 10), :dead_letter_queue (null for DLQ)
-- Index: destination_name.
-- Locks: the new row.
-- Rights: ALTER ROLE readpast_manage ADD MEMBER, or GRANT EXECUTE ON [readpast].create_queue
EXECUTE [readpast].create_queue @queue = :queue, @maximum_attempts = :maximum_attempts, @dead_letter_queue = :dead_letter_queue
