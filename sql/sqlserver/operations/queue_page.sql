-- A page of queues, topics and subscriptions behind a key, and how full they are: counted up to 10,000.
-- Parameters: :after_kind and :after_name (empty for the first), :part (of the name) and :least (1, or 0 for every name), :most
-- Index: destination_name, one range; for each 10,001 rows and ten seeks in the key of message.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].destination
SELECT d.kind, d.name, d.destination_id, q.depth, q.at_least, q.oldest_enqueued_at
FROM (
    SELECT TOP (:most) kind, name, destination_id FROM [readpast].destination WITH (NOLOCK)
    WHERE kind <> N'W' AND kind >= :after_kind AND (kind > :after_kind OR name > :after_name) AND CHARINDEX(:part, name) >= :least
    ORDER BY kind, name) AS d
INNER JOIN [readpast].queue_depth AS q ON q.destination_id = d.destination_id
ORDER BY d.kind, d.name
