-- What moved_columns of a message were, behind its key.
, deleted.jms_message_id, deleted.jms_destination, deleted.reply_to, deleted.correlation_id, deleted.jms_type,
    deleted.delivery_mode, deleted.jms_timestamp, deleted.jms_expiration, deleted.jms_delivery_time, deleted.group_id,
    deleted.properties, deleted.body_kind, deleted.body_format, deleted.body_length, deleted.body, deleted.body_id,
    deleted.enqueued_at, deleted.expires_at, deleted.origin_id
