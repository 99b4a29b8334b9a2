-- A JVM has died: marks the destinations that it consumed from. All that waits there now may have been in its hands. Whoever calls
-- holds the lock of the dead JVM, so that nobody else does this at once, and forgets what it consumed in the same transaction, so that
-- nobody does it again.
-- Parameters: :instance
-- Index: consumed_destination_key, a range; message_key, one seek for each destination and priority.
-- Locks: the new rows. The number drawn from the sequence of message ids is higher than that of any message there. The newest
--   message is looked at as well, for servers that hand out numbers of a sequence in blocks to each connection.
DECLARE @drawn bigint = NEXT VALUE FOR [readpast].message_seq;
INSERT INTO [readpast].suspect_mark (destination_id, up_to, instance)
SELECT n.destination_id, CASE WHEN n.newest > @drawn THEN n.newest ELSE @drawn END, :instance
FROM (
    SELECT c.destination_id, MAX(m.message_id) AS newest
    FROM [readpast].consumed_destination AS c
    CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS p (priority_order)
    CROSS APPLY (
        SELECT TOP (1) w.message_id
        FROM [readpast].message AS w WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order)))
        WHERE w.destination_id = c.destination_id AND w.priority_order = CAST(p.priority_order AS smallint)
        ORDER BY w.message_id DESC) AS m
    WHERE c.instance = :instance AND c.by_lease = 0
    GROUP BY c.destination_id) AS n
