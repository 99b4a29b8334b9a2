-- Puts one message into a queue, available at once, leaves a trace of the transaction as mark_and_commit does, and commits: one
-- round trip. All of it or nothing.
-- Entered: in no transaction; the insert begins one.
-- Parameters: :token (a UUID, which identifies the transaction), :destination_id, :priority_order, the headers,
--   :properties (JSON or null), :body_kind, :body_format,
--   :body_length, :body (or null), :ttl_millis (what is left of the time to live, null for never)
-- Index: appends to all of [readpast].message.
-- Locks: the new row.
BEGIN TRY
INSERT INTO [readpast].new_message (
    destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
    jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body,
    expires_at)
VALUES (
    :destination_id, :priority_order, :jms_message_id, :jms_destination, :reply_to, :correlation_id, :jms_type, :delivery_mode,
    :jms_timestamp, :jms_expiration, :jms_delivery_time, :group_id, :properties, :body_kind, :body_format, :body_length, :body,
    DATEADD(millisecond, CAST(:ttl_millis % 1000 AS int), DATEADD(second, CAST(:ttl_millis / 1000 AS int), SYSUTCDATETIME())));
INSERT INTO [readpast].commit_marker (token, refused) VALUES (CAST(:token AS uniqueidentifier), 0);
COMMIT TRANSACTION;
END TRY
BEGIN CATCH
    IF @@TRANCOUNT > 0
        ROLLBACK TRANSACTION;
    THROW;
END CATCH
