-- Adds what makes a destination a subscription.
-- Parameters: :destination_id, :topic_id (0 for one with wildcards), :pattern (its wildcards, or null), :client_id (or null),
--   :name (or null), :durable and :shared (1 or 0), :origin (whose messages are left out, or null), :selector (or null)
-- Index: primary key of readpast.subscription.
-- Locks: the new row.
INSERT INTO readpast.subscription (
    destination_id, topic_id, pattern, client_id, name, durable, shared, origin, selector)
VALUES (:destination_id, :topic_id, :pattern, :client_id, :name, :durable, :shared, :origin, :selector)
