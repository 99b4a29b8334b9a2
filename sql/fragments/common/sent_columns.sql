-- The columns of a message as it is sent, behind destination_id.
, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
    jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body
