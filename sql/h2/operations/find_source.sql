-- The queue or subscription of a name, and how much is in it. H2 counts all.
-- Parameters: :queue
-- Index: destination_name; the keys of both message tables.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.message, readpast.delayed_message, readpast.destination
SELECT d.destination_id,
       (SELECT COUNT(*) FROM readpast.message m WHERE m.destination_id = d.destination_id) AS waiting,
       (SELECT COUNT(*) FROM readpast.delayed_message y WHERE y.destination_id = d.destination_id) AS delayed
FROM readpast.destination d
WHERE d.name = :queue AND d.kind IN ('Q', 'TQ', 'S')
ORDER BY CASE d.kind WHEN 'Q' THEN 1 WHEN 'TQ' THEN 2 ELSE 3 END
LIMIT 1
