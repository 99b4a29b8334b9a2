-- The queue or subscription of a name, and about how much is in it: counted up to 10,000 in either table.
-- Parameters: :queue
-- Index: destination_name; the keys of both message tables, 10,001 rows of each.
-- Locks: none.
-- Rights: GRANT readpast_manage
SELECT d.destination_id,
       (SELECT count(*) FROM (SELECT FROM readpast.message m WHERE m.destination_id = d.destination_id LIMIT 10001) w) AS waiting,
       (SELECT count(*) FROM (SELECT FROM readpast.delayed_message y WHERE y.destination_id = d.destination_id LIMIT 10001) w) AS delayed
FROM readpast.destination d
WHERE d.name = :queue AND d.kind IN ('Q', 'TQ', 'S')
ORDER BY CASE d.kind WHEN 'Q' THEN 1 WHEN 'TQ' THEN 2 ELSE 3 END
LIMIT 1
