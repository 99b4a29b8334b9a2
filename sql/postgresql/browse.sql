-- Reads a stretch of a queue, claimed messages included; also the first step of a claim with a selector.
-- Parameters: :destination_id, :after_priority and :after_id (the key to start behind; -1 and 0 for the head), :max,
--   :max_inline_body (larger bodies come as null; -1 for none)
-- Index: primary key, a range from the key to start behind; no sort.
-- Locks: none.
SELECT destination_id, priority_order, message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type,
       delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format,
       body_length, delivery_count,
       CASE WHEN body_length <= :max_inline_body THEN body END AS body
FROM readpast.message
WHERE destination_id = :destination_id
  AND (priority_order, message_id) > (:after_priority, :after_id)
  AND (expires_at IS NULL OR expires_at > statement_timestamp())
ORDER BY destination_id, priority_order, message_id
LIMIT :max
