-- The instances that have temporary destinations or consumers of subscriptions and are not there any more; some may come more than once.
-- Parameters: none
-- Index: destination_owner and subscription_consumer_instance, a scan each; primary key of readpast.presence.
-- Locks: none.
SELECT d.owner AS instance
FROM readpast.destination d
WHERE d.owner IS NOT NULL AND NOT EXISTS (SELECT 1 FROM readpast.presence p WHERE p.instance = d.owner)
UNION ALL
SELECT c.instance
FROM readpast.subscription_consumer c
WHERE NOT EXISTS (SELECT 1 FROM readpast.presence p WHERE p.instance = c.instance)
