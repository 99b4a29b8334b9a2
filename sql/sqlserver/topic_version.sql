-- The version of a topic, which each change of its subscriptions raises.
-- Parameters: :topic_id
-- Index: primary key of [readpast].destination.
-- Locks: none that lasts.
SELECT version FROM [readpast].destination WHERE destination_id = :topic_id
