-- The instances that have groups and are not there any more.
-- Parameters: none
-- Index: a scan of message_group_consumer; primary key of readpast.presence.
-- Locks: none that lasts.
SELECT DISTINCT g.instance
FROM readpast.message_group g
WHERE NOT EXISTS (SELECT 1 FROM readpast.presence p WHERE p.instance = g.instance)
