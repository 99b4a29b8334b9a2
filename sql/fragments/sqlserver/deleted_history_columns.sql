-- What history_columns of a message were.
, deleted.destination_id, deleted.message_id, deleted.priority_order, deleted.jms_message_id, deleted.correlation_id,
    deleted.jms_type, deleted.reply_to, deleted.group_id, deleted.properties, deleted.body_kind, deleted.body_format,
    deleted.body_length
