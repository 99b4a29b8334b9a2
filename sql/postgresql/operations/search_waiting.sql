-- Reads a stretch of a queue for whoever chooses among its messages: without bodies, and of properties that are longer than 64 KiB the length
-- in their place.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -1 and 0 for the head), :most
-- Index: primary key of readpast.message, a range from the key to start behind; no sort.
-- Locks: none.
-- Rights: GRANT readpast_manage
SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN length(CAST(m.properties AS text)) <= 65536 THEN CAST(m.properties AS text)
            ELSE CAST(length(CAST(m.properties AS text)) AS text) END AS properties,
       m.body_kind, m.body_format, m.body_length, CAST(NULL AS bytea) AS body, m.delivery_count, m.origin_id,
       CAST(NULL AS timestamptz) AS due_at,
       CASE WHEN m.expires_at <= clock_timestamp() THEN 'expired' ELSE 'waiting' END AS state
FROM readpast.message m
WHERE m.destination_id = :destination_id AND (m.priority_order, m.message_id) > (:after_priority, :after_id)
ORDER BY m.destination_id, m.priority_order, m.message_id
LIMIT :most
