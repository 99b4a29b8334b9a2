-- The queues that are moved to another database or from it. left_behind: 1 where something of a queue that leaves is left, as far as can be
-- seen without a lock.
-- Parameters: none
-- Index: destination_moved, all of it; [readpast].destination by key, and one seek in each message table.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].destination; GRANT SELECT ON [readpast].message; GRANT SELECT ON [readpast].delayed_message
SELECT d.name, d.moved, d.moved_database,
       CASE WHEN EXISTS (SELECT 1 FROM [readpast].message AS m WITH (NOLOCK) WHERE m.destination_id = d.destination_id)
              OR EXISTS (SELECT 1 FROM [readpast].delayed_message AS y WITH (NOLOCK) WHERE y.destination_id = d.destination_id) THEN 1 ELSE 0 END AS left_behind
FROM [readpast].destination AS d WITH (NOLOCK)
WHERE d.moved IS NOT NULL AND d.kind = N'Q'
ORDER BY d.name
