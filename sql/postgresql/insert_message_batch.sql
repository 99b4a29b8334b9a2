-- Puts messages into queues, available at once, in the order of the arrays. The transaction's id comes along, so that a commit in
-- doubt can be asked for.
-- Parameters: arrays of the same length, an element for each message: :destination_id, :priority_order, the headers, :properties
--   (JSON or null), :body_kind, :body_format, :body_length, :body (or null),
--   :ttl_millis (what is left of the time to live, null for never)
-- Index: appends to all of readpast.message.
-- Locks: the new rows.
WITH sent AS (
    INSERT INTO readpast.message (
        destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
        jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body,
        expires_at)
    SELECT
        destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
        jms_timestamp, jms_expiration, jms_delivery_time, group_id, CAST(properties AS json), body_kind, body_format,
        body_length, body, statement_timestamp() + ttl_millis * interval '1 millisecond'
    FROM unnest(
        CAST(:destination_id AS int[]), CAST(:priority_order AS int[]), CAST(:jms_message_id AS text[]),
        CAST(:jms_destination AS text[]), CAST(:reply_to AS text[]), CAST(:correlation_id AS text[]),
        CAST(:jms_type AS text[]), CAST(:delivery_mode AS int[]), CAST(:jms_timestamp AS bigint[]),
        CAST(:jms_expiration AS bigint[]), CAST(:jms_delivery_time AS bigint[]), CAST(:group_id AS text[]),
        CAST(:properties AS text[]), CAST(:body_kind AS int[]), CAST(:body_format AS int[]), CAST(:body_length AS bigint[]),
        CAST(:body AS bytea[]), CAST(:ttl_millis AS bigint[])
    ) AS message (
        destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
        jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body,
        ttl_millis))
SELECT CAST(pg_current_xact_id() AS text) AS transaction_id
