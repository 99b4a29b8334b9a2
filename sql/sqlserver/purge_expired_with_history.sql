-- Deletes messages that have expired of one queue with a history, the oldest first, notes that in it, and returns how many. See
-- purge_expired for the order of the locks.
-- Parameters: :destination_id, :max
-- Index: as purge_expired; appends to message_history_key for each queue.
-- Locks: U and then X on the deleted rows; rows that others hold are stepped over.
/* include find_expired */;
DELETE m
OUTPUT
    SYSUTCDATETIME() /* include deleted_history_columns */, deleted.body, deleted.delivery_count, deleted.enqueued_at, N'expired'
INTO [readpast].message_history (
    completed_at /* include history_columns */, body, delivery_count, enqueued_at, outcome)
/* include doomed_rows */;
SELECT @@ROWCOUNT AS removed
