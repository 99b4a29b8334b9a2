-- Lists the queues that keep a history. Subscriptions, which come and go, have none.
-- Parameters: none
-- Index: destination_history, all of it, and [readpast].destination by key for each: a scan would wait for whoever has created a queue and
--   not committed it. The variable keeps a database with PARAMETERIZATION FORCED from making a parameter of the 1 as well, with which the
--   filtered index could not be used (8622).
-- Locks: none kept.
DECLARE @kind nvarchar(2) = N'Q';
SELECT destination_id FROM [readpast].destination WITH (READCOMMITTEDLOCK, INDEX (destination_history)) WHERE history = 1 AND kind = @kind
