-- Subscriptions of topics, and how many consumers each has: one that has no name lives as long as its consumer.
-- Parameters: none
-- Index: a scan of small tables; the key of readpast.destination.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.subscription, readpast.subscription_consumer, readpast.destination
SELECT s.destination_id,
       d.name                       AS queue,
       COALESCE(s.pattern, t.name)  AS topic,
       s.client_id,
       s.name,
       s.durable,
       s.shared,
       s.selector,
       CASE WHEN s.name IS NULL THEN 1 ELSE COALESCE(c.consumers, 0) END AS consumers,
       d.created_at
FROM readpast.subscription s
INNER JOIN readpast.destination d ON d.destination_id = s.destination_id
LEFT JOIN readpast.destination t ON t.destination_id = s.topic_id
LEFT JOIN (SELECT destination_id, COUNT(*) AS consumers
           FROM readpast.subscription_consumer GROUP BY destination_id) c ON c.destination_id = s.destination_id
ORDER BY topic, s.client_id, s.name
