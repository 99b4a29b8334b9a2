-- Reads a stretch of a queue for whoever chooses among its messages: without bodies, and of properties that are longer than 64 Ki characters
-- the length in their place.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -1 and 0 for the head), :most
-- Index: the key of message, two ranges: the rest of one priority, and the priorities behind it.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.message
SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN CHAR_LENGTH(m.properties) <= 65536 THEN m.properties ELSE CAST(CHAR_LENGTH(m.properties) AS varchar) END AS properties,
       m.body_kind, m.body_format, m.body_length, CAST(NULL AS varbinary) AS body, m.delivery_count, m.origin_id,
       CAST(NULL AS TIMESTAMP(3) WITH TIME ZONE) AS due_at,
       CASE WHEN m.expires_at <= CURRENT_TIMESTAMP THEN 'expired' ELSE 'waiting' END AS state
FROM (
    SELECT r.* FROM (
      SELECT m.* FROM readpast.message m
      WHERE m.destination_id = :destination_id AND m.priority_order = :after_priority AND m.message_id > :after_id
      ORDER BY m.destination_id, m.priority_order, m.message_id
      LIMIT :most) r
    UNION ALL
    SELECT l.* FROM (
      SELECT m.* FROM readpast.message m
      WHERE m.destination_id = :destination_id AND m.priority_order >= :after_priority + 1
      ORDER BY m.destination_id, m.priority_order, m.message_id
      LIMIT :most) l) m
ORDER BY m.destination_id, m.priority_order, m.message_id
LIMIT :most
