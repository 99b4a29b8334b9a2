-- Claims the messages with these keys that nobody holds, in the order of delivery.
-- Parameters: :keys (a JSON array of objects with d, p and i: destination_id, priority_order, message_id), :max,
--   :max_inline_body (larger bodies come as null)
-- Index: primary key, one seek for each key.
-- Locks: FOR UPDATE on the rows returned until the transaction ends; rows held by others are stepped over.
SELECT m.destination_id, m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, m.correlation_id, m.jms_type,
       m.delivery_mode, m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id, m.properties, m.body_kind, m.body_format,
       m.body_length, m.delivery_count,
       CASE WHEN m.body_length <= :max_inline_body THEN m.body END AS body
FROM json_to_recordset(CAST(:keys AS json)) AS k (d int, p smallint, i bigint)
JOIN readpast.message m ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i
WHERE (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
ORDER BY m.destination_id, m.priority_order, m.message_id
LIMIT :max
FOR UPDATE OF m SKIP LOCKED
