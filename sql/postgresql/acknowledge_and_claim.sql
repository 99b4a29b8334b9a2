-- One round trip: deletes claimed messages, commits, begins the next transaction and claims the next messages. Where not
-- exactly the expected number of rows was deleted the first statement fails (22012, division by zero), and the COMMIT is
-- not reached, since the server skips the rest of a pipeline after an error.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :expected (how
--   many keys), and those of claim
-- Index: primary key, one seek for each key and a range from the key to start behind.
-- Locks: as acknowledge and claim.
WITH gone AS (
    DELETE FROM readpast.message m
    USING json_to_recordset(CAST(:keys AS json)) AS k (d int, p smallint, i bigint)
    WHERE m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i
    RETURNING 1)
SELECT 1 / CASE WHEN count(*) = :expected THEN 1 ELSE 0 END FROM gone;
COMMIT;
BEGIN;
SELECT destination_id, priority_order, message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type,
       delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format,
       body_length, delivery_count,
       CASE WHEN body_length <= :max_inline_body THEN body END AS body
FROM readpast.message
WHERE destination_id = :destination_id
  AND (priority_order, message_id) > (:after_priority, :after_id)
  AND (expires_at IS NULL OR expires_at > statement_timestamp())
ORDER BY destination_id, priority_order, message_id
LIMIT :max
FOR UPDATE SKIP LOCKED
