-- What message_columns and short_body are made of, behind destination_id.
, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
           m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id, m.properties,
           m.body_kind, m.body_format, m.body_length, m.body, m.body_id, m.delivery_count
