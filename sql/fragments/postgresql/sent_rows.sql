-- Rows of sent_arrays, for sent_columns and expires_at.
, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
        jms_timestamp, jms_expiration, jms_delivery_time, group_id, CAST(properties AS json), body_kind, body_format,
        body_length, body, statement_timestamp() + ttl_millis * interval '1 millisecond'
