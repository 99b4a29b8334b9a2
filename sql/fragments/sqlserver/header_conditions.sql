-- What a selector demands of header fields, of messages that have not expired.
AND m.priority_order BETWEEN :lowest_order AND :highest_order
  AND m.jms_timestamp BETWEEN :earliest AND :latest
  AND (:delivery_mode IS NULL OR m.delivery_mode = :delivery_mode)
  AND (:jms_message_id IS NULL OR m.jms_message_id = :jms_message_id)
  AND (:jms_type IS NULL OR m.jms_type = :jms_type)
  /* include unexpired */
