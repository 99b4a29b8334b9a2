-- Lists queues and subscriptions that have messages that have expired, with the name of the queue or topic.
-- Parameters: none
-- Index: message_expiry up to now; readpast.destination by key.
-- Locks: none.
SELECT d.destination_id, COALESCE(t.name, d.name) AS name
FROM readpast.destination d
LEFT JOIN readpast.subscription s ON s.destination_id = d.destination_id
LEFT JOIN readpast.destination t ON t.destination_id = s.topic_id
WHERE d.destination_id IN (
    SELECT m.destination_id
    FROM readpast.message m
    WHERE m.expires_at <= /* include now */)
