-- A page of queues, topics and subscriptions behind a key, and how full they are: counted up to 10,000.
-- Parameters: :after_kind and :after_name (empty for the first), :contains (a part of the name, as LIKE has it), :most
-- Index: destination_name, one range; for each 10,001 rows and ten seeks in the key of message.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.destination and EXECUTE ON FUNCTION readpast.depth_of
SELECT d.kind, d.name, d.destination_id, least(w.counted, 10000) AS depth, CASE WHEN w.counted > 10000 THEN 1 ELSE 0 END AS at_least,
       w.oldest_enqueued_at
FROM (
    SELECT kind, name, destination_id FROM readpast.destination
    WHERE kind <> 'W' AND (kind, name) > (:after_kind, :after_name) AND name LIKE :contains ESCAPE '!'
    ORDER BY kind, name
    LIMIT CAST(:most AS int)) d
CROSS JOIN LATERAL readpast.depth_of(d.destination_id) w
ORDER BY d.kind, d.name
