-- Which JVM holds a client id.
-- Parameters: :client_id
-- Index: primary key of readpast.client_id.
-- Locks: none that lasts.
SELECT instance FROM readpast.client_id WHERE client_id = :client_id
