-- The version of a topic, which each change of its subscriptions raises: its own and, added to it, that of the subscriptions with
-- wildcards, row 0. Neither ever falls, so the sum is the same only where both are. And its name, which tells whether it is still the same.
-- No row where the id is no topic's.
-- Parameters: :topic_id
-- Index: primary key of readpast.destination, two seeks.
-- Locks: none.
SELECT t.version + (SELECT p.version FROM readpast.destination p WHERE p.destination_id = 0) AS version, t.name
FROM readpast.destination t
WHERE t.destination_id = :topic_id AND t.kind IN ('T', 'TT')
