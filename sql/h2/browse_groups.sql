-- Reads a stretch of a queue for a claim by groups, claimed messages included: messages of no group, of groups that nobody has,
-- and of the consumer's own. Those of other consumers' groups are stepped over here, however many they are.
-- Parameters: :consumer, :correlation_id (null for any), and those of browse but for :max_inline_body
-- Properties of more than 8192 characters come as their length.
-- Index: primary key, two ranges: the rest of one priority, and the priorities behind it (written as >=,
--   since H2 would read all rows of a priority that is only to be exceeded); primary key of message_group, one seek for each
--   message.
-- Locks: none.
SELECT * FROM (
    (SELECT m.destination_id /* include message_columns */, CAST(NULL AS BLOB) AS body,
       CASE WHEN g.consumer IS NULL THEN 0 ELSE 1 END AS owned
    FROM readpast.message m
    LEFT JOIN readpast.message_group g ON g.destination_id = m.destination_id AND g.group_id = m.group_id
    WHERE m.destination_id = :destination_id AND m.priority_order = :after_priority AND m.message_id > :after_id
      AND (g.consumer IS NULL OR g.consumer = :consumer)
      /* include header_conditions */
      AND (CAST(:correlation_id AS VARCHAR) IS NULL OR m.correlation_id = CAST(:correlation_id AS VARCHAR))
    ORDER BY destination_id, priority_order, message_id
    LIMIT :max)
    UNION ALL
    (SELECT m.destination_id /* include message_columns */, CAST(NULL AS BLOB) AS body,
       CASE WHEN g.consumer IS NULL THEN 0 ELSE 1 END AS owned
    FROM readpast.message m
    LEFT JOIN readpast.message_group g ON g.destination_id = m.destination_id AND g.group_id = m.group_id
    WHERE m.destination_id = :destination_id AND m.priority_order >= :after_priority + 1
      AND (g.consumer IS NULL OR g.consumer = :consumer)
      /* include header_conditions */
      AND (CAST(:correlation_id AS VARCHAR) IS NULL OR m.correlation_id = CAST(:correlation_id AS VARCHAR))
    ORDER BY destination_id, priority_order, message_id
    LIMIT :max))
ORDER BY destination_id, priority_order, message_id
LIMIT :max
