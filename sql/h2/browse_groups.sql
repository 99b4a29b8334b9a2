-- Reads a stretch of a queue for a claim by groups, claimed messages included: messages of no group, of groups that nobody has,
-- and of the consumer's own. Those of other consumers' groups are stepped over here, however many they are.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max,
--   :consumer, and what a selector demands of header fields: :lowest_order and :highest_order (of priority_order), :earliest
--   and :latest (of jms_timestamp), :delivery_mode, :jms_message_id, :correlation_id, :jms_type (null for any)
-- Properties of more than 8192 characters come as their length.
-- Index: primary key, two ranges: the rest of one priority, and the priorities behind it (written as >=,
--   since H2 would read all rows of a priority that is only to be exceeded); primary key of message_group, one seek for each
--   message.
-- Locks: none.
SELECT * FROM (
    (SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN CHAR_LENGTH(m.properties) <= 8192 THEN m.properties ELSE CAST(CHAR_LENGTH(m.properties) AS VARCHAR) END AS properties,
       m.body_kind, m.body_format,
       m.body_length, m.delivery_count, CAST(NULL AS BLOB) AS body,
       CASE WHEN g.consumer IS NULL THEN 0 ELSE 1 END AS owned
    FROM readpast.message m
    LEFT JOIN readpast.message_group g ON g.destination_id = m.destination_id AND g.group_id = m.group_id
    WHERE m.destination_id = :destination_id AND m.priority_order = :after_priority AND m.message_id > :after_id
      AND (g.consumer IS NULL OR g.consumer = :consumer)
      AND m.priority_order BETWEEN :lowest_order AND :highest_order
      AND m.jms_timestamp BETWEEN :earliest AND :latest
      AND (CAST(:delivery_mode AS INT) IS NULL OR m.delivery_mode = CAST(:delivery_mode AS INT))
      AND (CAST(:jms_message_id AS VARCHAR) IS NULL OR m.jms_message_id = CAST(:jms_message_id AS VARCHAR))
      AND (CAST(:correlation_id AS VARCHAR) IS NULL OR m.correlation_id = CAST(:correlation_id AS VARCHAR))
      AND (CAST(:jms_type AS VARCHAR) IS NULL OR m.jms_type = CAST(:jms_type AS VARCHAR))
      AND (m.expires_at IS NULL OR m.expires_at > DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'))
    ORDER BY destination_id, priority_order, message_id
    LIMIT :max)
    UNION ALL
    (SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN CHAR_LENGTH(m.properties) <= 8192 THEN m.properties ELSE CAST(CHAR_LENGTH(m.properties) AS VARCHAR) END AS properties,
       m.body_kind, m.body_format,
       m.body_length, m.delivery_count, CAST(NULL AS BLOB) AS body,
       CASE WHEN g.consumer IS NULL THEN 0 ELSE 1 END AS owned
    FROM readpast.message m
    LEFT JOIN readpast.message_group g ON g.destination_id = m.destination_id AND g.group_id = m.group_id
    WHERE m.destination_id = :destination_id AND m.priority_order >= :after_priority + 1
      AND (g.consumer IS NULL OR g.consumer = :consumer)
      AND m.priority_order BETWEEN :lowest_order AND :highest_order
      AND m.jms_timestamp BETWEEN :earliest AND :latest
      AND (CAST(:delivery_mode AS INT) IS NULL OR m.delivery_mode = CAST(:delivery_mode AS INT))
      AND (CAST(:jms_message_id AS VARCHAR) IS NULL OR m.jms_message_id = CAST(:jms_message_id AS VARCHAR))
      AND (CAST(:correlation_id AS VARCHAR) IS NULL OR m.correlation_id = CAST(:correlation_id AS VARCHAR))
      AND (CAST(:jms_type AS VARCHAR) IS NULL OR m.jms_type = CAST(:jms_type AS VARCHAR))
      AND (m.expires_at IS NULL OR m.expires_at > DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'))
    ORDER BY destination_id, priority_order, message_id
    LIMIT :max))
ORDER BY destination_id, priority_order, message_id
LIMIT :max
