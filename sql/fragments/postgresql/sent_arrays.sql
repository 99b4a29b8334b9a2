-- What goes into sent_columns and expires_at, for several messages.
CAST(:destination_id AS int[]), CAST(:priority_order AS int[]), CAST(:jms_message_id AS text[]),
        CAST(:jms_destination AS text[]), CAST(:reply_to AS text[]), CAST(:correlation_id AS text[]),
        CAST(:jms_type AS text[]), CAST(:delivery_mode AS int[]), CAST(:jms_timestamp AS bigint[]),
        CAST(:jms_expiration AS bigint[]), CAST(:jms_delivery_time AS bigint[]), CAST(:group_id AS text[]),
        CAST(:properties AS text[]), CAST(:body_kind AS int[]), CAST(:body_format AS int[]), CAST(:body_length AS bigint[]),
        CAST(:body AS bytea[]), CAST(:ttl_millis AS bigint[])
