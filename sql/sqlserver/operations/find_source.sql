-- The queue or subscription of a name, and about how much is in it: counted up to 10,000 in either table. TOP, since any rows will do to count.
-- Parameters: :queue
-- Index: destination_name; the keys of both message tables, 10,001 rows of each.
-- Locks: none.
-- Rights: ALTER ROLE readpast_manage ADD MEMBER
SELECT TOP (1) d.destination_id,
       (SELECT COUNT(*)
        FROM (SELECT TOP (10001) m.message_id FROM [readpast].message AS m WITH (NOLOCK)
              WHERE m.destination_id = d.destination_id) AS w) AS waiting,
       (SELECT COUNT(*)
        FROM (SELECT TOP (10001) y.message_id FROM [readpast].delayed_message AS y WITH (NOLOCK)
              WHERE y.destination_id = d.destination_id) AS w) AS delayed
FROM [readpast].destination AS d WITH (NOLOCK)
WHERE d.name = :queue AND d.name_bytes = DATALENGTH(:queue) AND d.kind IN (N'Q', N'TQ', N'S')
ORDER BY CASE d.kind WHEN N'Q' THEN 1 WHEN N'TQ' THEN 2 ELSE 3 END
