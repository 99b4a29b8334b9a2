-- The version of a topic, which each change of its subscriptions raises: its own and, added to it, that of the subscriptions with
-- wildcards, row 0. Neither ever falls, so the sum is the same only where both are. And its name, which tells whether it is still the same.
-- No row where the id is no topic's.
-- Parameters: :topic_id
-- Index: primary key of [readpast].destination, two seeks.
-- Locks: none that lasts, not even in an application's transaction at REPEATABLE READ; where rows are not versioned (READ_COMMITTED_SNAPSHOT),
--   waits for who changes a subscription, which takes a moment.
SELECT t.version + (SELECT p.version FROM [readpast].destination AS p WITH (READCOMMITTED) WHERE p.destination_id = 0) AS version, t.name
FROM [readpast].destination AS t WITH (READCOMMITTED)
WHERE t.destination_id = :topic_id AND t.kind IN (N'T', N'TT')
