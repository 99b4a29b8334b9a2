-- The subscriptions of a topic, for those who publish to it.
-- Parameters: :topic_id
-- Index: subscription_topic.
-- Locks: none that lasts.
SELECT destination_id, origin, selector FROM [readpast].subscription WHERE topic_id = :topic_id ORDER BY destination_id
