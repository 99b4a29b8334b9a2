-- What administrators have set for queues: which keep a history, which are paused, and which are moved to another database. Subscriptions, which come and go, have
-- none of it.
-- Without row versions a queue that somebody is changing and has not committed ends it (1222): what is known holds, and a JVM that knows
-- nothing yet does not start. It is not waited for, as the lock may be held for long, nor stepped over: a pause would seem to have ended.
-- Parameters: none
-- Index: a scan of destination_history, of destination_paused and of destination_moved, which have all that is asked: one of the table would wait for whoever
--   has created a queue and not committed it. The variable keeps a database with PARAMETERIZATION FORCED from making a parameter of the 1 as
--   well, with which the filtered index could not be used (8622).
-- Locks: none kept, and none taken under READ_COMMITTED_SNAPSHOT.
DECLARE @kind nvarchar(2) = N'Q';
SELECT destination_id, 1 AS history, N'' AS paused, N'' AS moved, N'' AS moved_database, N'' AS name
FROM [readpast].destination WITH (NOWAIT, INDEX (destination_history)) WHERE history = 1 AND kind = @kind
UNION ALL
SELECT destination_id, 0 AS history, paused, N'' AS moved, N'' AS moved_database, N'' AS name
FROM [readpast].destination WITH (NOWAIT, INDEX (destination_paused)) WHERE paused IS NOT NULL AND kind = @kind
UNION ALL
SELECT destination_id, 0 AS history, N'' AS paused, moved, moved_database, name
FROM [readpast].destination WITH (NOWAIT, INDEX (destination_moved)) WHERE moved IS NOT NULL AND kind = @kind
