-- How full each queue and subscription is: counted up to 10,000.
-- Parameters: none
-- Index: the key of message, 10,001 rows and ten seeks for each queue.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.queue_depth
SELECT kind, name, destination_id, depth, at_least, oldest_enqueued_at
FROM readpast.queue_depth
ORDER BY name, kind
