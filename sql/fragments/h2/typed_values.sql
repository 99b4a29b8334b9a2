-- What goes into sent_columns, where H2 has to be told the types.
, CAST(:priority_order AS SMALLINT), CAST(:jms_message_id AS VARCHAR), CAST(:jms_destination AS VARCHAR),
    CAST(:reply_to AS VARCHAR), CAST(:correlation_id AS VARCHAR), CAST(:jms_type AS VARCHAR), CAST(:delivery_mode AS SMALLINT),
    CAST(:jms_timestamp AS BIGINT), CAST(:jms_expiration AS BIGINT), CAST(:jms_delivery_time AS BIGINT),
    CAST(:group_id AS VARCHAR), CAST(:properties AS VARCHAR), CAST(:body_kind AS SMALLINT), CAST(:body_format AS SMALLINT),
    CAST(:body_length AS BIGINT), CAST(:body AS BLOB)
