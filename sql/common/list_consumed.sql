-- The subscriptions that a JVM has active consumers of.
-- Parameters: :instance
-- Index: subscription_consumer_instance.
-- Locks: none that lasts.
SELECT DISTINCT destination_id FROM readpast.subscription_consumer WHERE instance = :instance ORDER BY destination_id
