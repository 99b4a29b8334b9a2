-- A page of queues, topics and subscriptions behind a key, and how full they are. H2 counts all.
-- Parameters: :after_kind and :after_name (empty for the first), :contains (a part of the name, as LIKE has it), :most
-- Index: destination_name, one range; for each its messages by the key of message.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.destination
SELECT d.kind, d.name, d.destination_id,
       (SELECT COUNT(*) FROM readpast.message m WHERE m.destination_id = d.destination_id) AS depth, 0 AS at_least,
       (SELECT MIN(m.enqueued_at) FROM readpast.message m WHERE m.destination_id = d.destination_id) AS oldest_enqueued_at
FROM (
    SELECT kind, name, destination_id FROM readpast.destination
    WHERE kind <> 'W' AND kind >= :after_kind AND (kind > :after_kind OR name > :after_name) AND name LIKE :contains ESCAPE '!'
    ORDER BY kind, name
    LIMIT :most) d
ORDER BY d.kind, d.name
