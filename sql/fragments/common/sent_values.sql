-- What goes into sent_columns.
, :priority_order, :jms_message_id, :jms_destination, :reply_to, :correlation_id, :jms_type, :delivery_mode,
    :jms_timestamp, :jms_expiration, :jms_delivery_time, :group_id, :properties, :body_kind, :body_format, :body_length, :body
