-- Deletes messages of one queue that have expired, the oldest first, and returns how many.
-- Parameters: :destination_id, :max
-- Found without a lock that stays and then locked by their keys, as by their consumers: a lock on message_expiry alone does not see that
-- a consumer has the message, would wait for it, and be in a deadlock with its acknowledgement.
-- Index: message_expiry up to now, where what has expired of other queues is passed by; message_key, one seek for each row.
-- Locks: U and then X on the deleted rows; rows that others hold are stepped over.
/* include find_expired */;
DELETE m
/* include doomed_rows */;
SELECT @@ROWCOUNT AS removed
