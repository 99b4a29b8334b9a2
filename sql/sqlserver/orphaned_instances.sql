-- The instances that have temporary destinations or consumers of subscriptions and are not there any more; some may come more than once.
-- Parameters: none
-- Index: a scan of destination_owner and of subscription_consumer_instance; primary key of [readpast].presence.
-- Locks: none; what is not committed is seen too. Whoever acts on it has the lock of the instance, and looks again.
SELECT d.owner AS instance
FROM [readpast].destination AS d WITH (NOLOCK)
WHERE d.owner IS NOT NULL AND NOT EXISTS (SELECT 1 FROM [readpast].presence AS p WITH (NOLOCK) WHERE p.instance = d.owner)
UNION ALL
SELECT c.instance
FROM [readpast].subscription_consumer AS c WITH (NOLOCK)
WHERE NOT EXISTS (SELECT 1 FROM [readpast].presence AS p WITH (NOLOCK) WHERE p.instance = c.instance)
