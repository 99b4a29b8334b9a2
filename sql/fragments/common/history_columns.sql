-- What the history keeps of a message as it was, behind the times.
, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id, properties,
    body_kind, body_format, body_length
