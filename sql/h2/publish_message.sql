-- Puts a copy of one message into each of these subscriptions of a topic.
-- It does so only if the topic's version is still the one with which they were read, see topic_version: otherwise no row is
-- inserted, and the caller reads them anew.
-- Parameters: :topic_id, :version (the topic's, as it was when its subscriptions were read),
--   :destination_ids (an array), :priority_order, the headers,
--   :properties (JSON or null), :body_kind, :body_format, :body_length, :body (or null),
--   :body_id (of the shared body that the copies have instead of one of their own, or null),
--   :ttl_millis (what is left of the time to live, null for never)
-- Index: primary key of readpast.destination, two seeks; appends to readpast.message.
-- Locks: the new rows. None that lasts on the topic, so that publishing and subscribing never wait for each other.
INSERT INTO readpast.message (
    destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
    jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body,
    body_id, expires_at)
SELECT
    w.id, CAST(:priority_order AS SMALLINT), CAST(:jms_message_id AS VARCHAR), CAST(:jms_destination AS VARCHAR),
    CAST(:reply_to AS VARCHAR), CAST(:correlation_id AS VARCHAR), CAST(:jms_type AS VARCHAR), CAST(:delivery_mode AS SMALLINT),
    CAST(:jms_timestamp AS BIGINT), CAST(:jms_expiration AS BIGINT), CAST(:jms_delivery_time AS BIGINT),
    CAST(:group_id AS VARCHAR), CAST(:properties AS VARCHAR), CAST(:body_kind AS SMALLINT), CAST(:body_format AS SMALLINT),
    CAST(:body_length AS BIGINT), CAST(:body AS BLOB), CAST(:body_id AS BIGINT),
    DATEADD('MILLISECOND', readpast.clock_millis() + CAST(:ttl_millis AS BIGINT), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00')
FROM UNNEST(CAST(:destination_ids AS INTEGER ARRAY)) AS w (id)
WHERE EXISTS (
    SELECT 1 FROM readpast.destination t
    WHERE t.destination_id = :topic_id
      AND t.version + (SELECT p.version FROM readpast.destination p WHERE p.destination_id = 0) = :version)
