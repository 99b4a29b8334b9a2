-- The same of messages that are delayed, claimed by lease or held.
-- Parameters: :destination_id, :after_due and :after_id (the key to start behind), :most
-- Index: delayed_message_destination, a range from the key to start behind; no sort.
-- Locks: none.
-- Rights: GRANT readpast_manage
SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id,
       CASE WHEN length(CAST(m.properties AS text)) <= 65536 THEN CAST(m.properties AS text)
            ELSE CAST(length(CAST(m.properties AS text)) AS text) END AS properties,
       m.body_kind, m.body_format, m.body_length, CAST(NULL AS bytea) AS body, m.delivery_count, m.origin_id,
       m.due_at,
       CASE WHEN m.held_at IS NOT NULL THEN 'held' WHEN m.claim_token IS NOT NULL THEN 'claimed' ELSE 'delayed' END AS state
FROM readpast.delayed_message m
WHERE m.destination_id = :destination_id AND (m.due_at, m.message_id) > (CAST(:after_due AS timestamptz), :after_id)
ORDER BY m.destination_id, m.due_at, m.message_id
LIMIT :most
