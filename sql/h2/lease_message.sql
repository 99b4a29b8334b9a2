-- Leases a claimed message: until the lease is over it stands among those that are not due, where nobody claims it. The delivery is
-- counted here, from 1 where nobody has counted to what is there (below 0, or at the end of int).
-- Parameters: :destination_id, :priority_order, :message_id, :claim_token (what the claim is known by), :lease_millis,
--   :worker (whose claim it is)
-- Index: primary key, one seek; appends to the key of readpast.delayed_message.
-- Locks: the row, which the claim holds already.
INSERT INTO readpast.delayed_message (
    due_at, message_id, destination_id, priority_order, claim_token, worker, claimed_at,
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
    delivery_count)
SELECT
    DATEADD('MILLISECOND', readpast.clock_millis() + CAST(:lease_millis AS BIGINT), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'), message_id, destination_id, priority_order,
    CAST(:claim_token AS UUID), CAST(:worker AS VARCHAR), DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'),
    jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
    jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, origin_id,
    CASE WHEN delivery_count BETWEEN 0 AND 2147483646 THEN delivery_count + 1 ELSE 1 END
FROM OLD TABLE (
    DELETE FROM readpast.message
    WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id)
