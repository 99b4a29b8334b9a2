-- Reads a stretch of a queue, claimed messages included; also the first step of a claim with a selector.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -32769 and 0 for the head), :max,
--   :max_inline_body (larger bodies come as null; -1 for none;
--   properties of more than 8192 characters come as their length), and what a selector demands of header fields:
--   :lowest_order and :highest_order (of priority_order), :earliest and :latest (of jms_timestamp), :delivery_mode,
--   :jms_message_id, :jms_type (null for any)
-- Index: primary key, two ranges: the rest of one priority, and the priorities behind it (written as >=,
--   since H2 would read all rows of a priority that is only to be exceeded).
-- Locks: none.
SELECT * FROM (
    (SELECT destination_id, priority_order, message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type,
       delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, group_id,
       CASE WHEN CHAR_LENGTH(properties) <= 8192 THEN properties ELSE CAST(CHAR_LENGTH(properties) AS VARCHAR) END AS properties,
       body_kind, body_format,
       body_length, delivery_count,
       CASE WHEN OCTET_LENGTH(body) <= :max_inline_body THEN body END AS body
    FROM readpast.message
    WHERE destination_id = :destination_id AND priority_order = :after_priority AND message_id > :after_id
      AND priority_order BETWEEN :lowest_order AND :highest_order
      AND jms_timestamp BETWEEN :earliest AND :latest
      AND (CAST(:delivery_mode AS INT) IS NULL OR delivery_mode = CAST(:delivery_mode AS INT))
      AND (CAST(:jms_message_id AS VARCHAR) IS NULL OR jms_message_id = CAST(:jms_message_id AS VARCHAR))
      AND (CAST(:jms_type AS VARCHAR) IS NULL OR jms_type = CAST(:jms_type AS VARCHAR))
      AND (expires_at IS NULL OR expires_at > DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'))
    ORDER BY destination_id, priority_order, message_id
    LIMIT :max)
    UNION ALL
    (SELECT destination_id, priority_order, message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type,
       delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, group_id,
       CASE WHEN CHAR_LENGTH(properties) <= 8192 THEN properties ELSE CAST(CHAR_LENGTH(properties) AS VARCHAR) END AS properties,
       body_kind, body_format,
       body_length, delivery_count,
       CASE WHEN OCTET_LENGTH(body) <= :max_inline_body THEN body END AS body
    FROM readpast.message
    WHERE destination_id = :destination_id AND priority_order >= :after_priority + 1
      AND priority_order BETWEEN :lowest_order AND :highest_order
      AND jms_timestamp BETWEEN :earliest AND :latest
      AND (CAST(:delivery_mode AS INT) IS NULL OR delivery_mode = CAST(:delivery_mode AS INT))
      AND (CAST(:jms_message_id AS VARCHAR) IS NULL OR jms_message_id = CAST(:jms_message_id AS VARCHAR))
      AND (CAST(:jms_type AS VARCHAR) IS NULL OR jms_type = CAST(:jms_type AS VARCHAR))
      AND (expires_at IS NULL OR expires_at > DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'))
    ORDER BY destination_id, priority_order, message_id
    LIMIT :max))
ORDER BY destination_id, priority_order, message_id
LIMIT :max
