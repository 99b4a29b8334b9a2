-- Puts one message among those that are not due yet, and commits, in one round trip.
-- Entered: in no transaction; the insert begins one.
-- Parameters: :destination_id, :priority_order, the headers, :properties (JSON or null), :body_kind, :body_format,
--   :body_length, :body (or null), :ttl_millis (what is left of the time to live, null for never),
--   :delay_millis (what is left of the delivery delay)
-- Index: appends to the key of [readpast].delayed_message.
-- Locks: the new row, until the end of the statement.
INSERT INTO [readpast].new_delayed_message (
    destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
    jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body,
    expires_at, due_at)
VALUES (
    :destination_id, :priority_order, :jms_message_id, :jms_destination, :reply_to, :correlation_id, :jms_type, :delivery_mode,
    :jms_timestamp, :jms_expiration, :jms_delivery_time, :group_id, :properties, :body_kind, :body_format, :body_length, :body,
    DATEADD(millisecond, CAST(:ttl_millis % 1000 AS int), DATEADD(second, CAST(:ttl_millis / 1000 AS int), SYSUTCDATETIME())),
    DATEADD(millisecond, CAST(:delay_millis % 1000 AS int), DATEADD(second, CAST(:delay_millis / 1000 AS int), SYSUTCDATETIME())));
COMMIT TRANSACTION
