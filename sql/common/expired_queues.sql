-- Lists queues and subscriptions that have messages that have expired, with the name of the queue or topic, the pattern where it is one with
-- wildcards, and one name for all that are temporary.
-- PostgreSQL takes a comparison with both ends for a small part of a table that it has no statistics of, and one with one end for a third:
-- it would read all messages then. The DISTINCT keeps it from looking in each queue for itself.
-- Parameters: none
-- Index: message_expiry up to now; readpast.destination by key.
-- Locks: none.
SELECT d.destination_id,
    CASE WHEN COALESCE(t.kind, d.kind) IN ('TQ', 'TT') THEN 'temporary' ELSE COALESCE(s.pattern, t.name, d.name) END AS name
FROM (SELECT DISTINCT m.destination_id
      FROM readpast.message m
      WHERE m.expires_at > TIMESTAMP WITH TIME ZONE '0001-01-01 00:00:00+00'
        AND m.expires_at <= /* include now */) e
INNER JOIN readpast.destination d ON d.destination_id = e.destination_id
LEFT JOIN readpast.subscription s ON s.destination_id = d.destination_id
LEFT JOIN readpast.destination t ON t.destination_id = s.topic_id
