-- The same of messages that are delayed or claimed by lease.
-- Parameters: :destination_id, :after_due and :after_id (the key to start behind), :most
-- Index: delayed_message_destination, one range.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.delayed_message
SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN CHAR_LENGTH(m.properties) <= 65536 THEN m.properties ELSE CAST(CHAR_LENGTH(m.properties) AS varchar) END AS properties,
       m.body_kind, m.body_format, m.body_length, CAST(NULL AS varbinary) AS body, m.delivery_count, m.origin_id,
       m.due_at,
       CASE WHEN m.claim_token IS NOT NULL THEN 'claimed' ELSE 'delayed' END AS state
FROM readpast.delayed_message m
WHERE m.destination_id = :destination_id
  AND m.due_at >= CAST(:after_due AS TIMESTAMP(9) WITH TIME ZONE)
  AND (m.due_at > CAST(:after_due AS TIMESTAMP(9) WITH TIME ZONE) OR m.message_id > :after_id)
ORDER BY m.due_at, m.message_id
LIMIT :most
