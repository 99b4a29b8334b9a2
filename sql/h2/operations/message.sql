-- One message with its properties and the beginning of its body.
-- Parameters: :destination_id, :priority_order and :message_id, :most (characters of the properties, and bytes of the body)
-- Index: the keys of message and shared_body, one seek each.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.message, readpast.shared_body, readpast.destination
SELECT m.priority_order, m.message_id, m.jms_message_id, m.jms_type, m.correlation_id, m.group_id, m.jms_timestamp,
       m.enqueued_at, m.expires_at, m.delivery_count, m.body_kind, m.body_length, o.name AS origin,
       CASE WHEN m.origin_id IS NULL THEN 0 ELSE 1 END AS is_dead, CASE WHEN m.expires_at <= CURRENT_TIMESTAMP THEN 'expired' ELSE 'waiting' END AS state,
       CAST(NULL AS TIMESTAMP(6) WITH TIME ZONE) AS due_at, CAST(NULL AS varchar) AS worker, CAST(NULL AS TIMESTAMP(6) WITH TIME ZONE) AS held_at, CAST(NULL AS TIMESTAMP(6) WITH TIME ZONE) AS claimed_at,
       m.jms_destination, m.reply_to, m.delivery_mode, m.jms_expiration, m.jms_delivery_time,
       SUBSTRING(m.properties FROM 1 FOR :most) AS properties, CHAR_LENGTH(m.properties) AS properties_length, m.body_format,
       CASE WHEN m.body_id IS NULL THEN SUBSTRING(m.body FROM 1 FOR :most)
            ELSE SUBSTRING(b.body FROM 1 FOR :most) END AS body
FROM readpast.message m
LEFT JOIN readpast.shared_body b ON b.body_id = m.body_id
LEFT JOIN readpast.destination o ON o.destination_id = m.origin_id
WHERE m.destination_id = :destination_id AND m.priority_order = :priority_order AND m.message_id = :message_id
