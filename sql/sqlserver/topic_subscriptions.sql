-- The subscriptions of a topic, for those who publish to it: its own, and, unless it is temporary, all with wildcards, each with
-- its pattern, which the caller compares with the topic's name.
-- Parameters: :topic_id
-- Index: primary key of [readpast].destination, one seek; subscription_topic, two ranges.
-- Locks: none that lasts, not even in an application's transaction at REPEATABLE READ.
SELECT s.destination_id, s.origin, s.selector, s.pattern, t.name
FROM [readpast].destination AS t WITH (READCOMMITTED)
JOIN [readpast].subscription AS s WITH (FORCESEEK, READCOMMITTED) ON s.topic_id = t.destination_id
WHERE t.destination_id = :topic_id
UNION ALL
SELECT s.destination_id, s.origin, s.selector, s.pattern, t.name
FROM [readpast].destination AS t WITH (READCOMMITTED)
JOIN [readpast].subscription AS s WITH (FORCESEEK, READCOMMITTED) ON s.topic_id = 0
WHERE t.destination_id = :topic_id AND t.kind = N'T'
ORDER BY 1
