-- Puts one message into a queue, available at once, and tells the JVMs that listen. The commit of such a statement takes a lock that all
-- commits of the database share which notify, so a JVM has only one of them under way at a time.
-- Parameters: :destination_id, :priority_order, the headers, :properties (JSON or null), :body_kind, :body_format,
--   :body_length, :body (or null), :ttl_millis (what is left of the time to live, null for never),
--   :payload (as of ring)
-- Index: appends to all of readpast.message.
-- Locks: the new row; notifying commits of the whole database, until this one is on the disk.
WITH sent AS (
    INSERT INTO readpast.message (
        destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
        jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body,
        expires_at)
    VALUES (
        :destination_id, :priority_order, :jms_message_id, :jms_destination, :reply_to, :correlation_id, :jms_type, :delivery_mode,
        :jms_timestamp, :jms_expiration, :jms_delivery_time, :group_id, CAST(:properties AS json), :body_kind, :body_format,
        :body_length, :body, statement_timestamp() + CAST(:ttl_millis AS bigint) * interval '1 millisecond'))
SELECT pg_notify('readpast', :payload)
