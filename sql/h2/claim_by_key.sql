-- Claims the message with this key, if nobody holds it.
-- Parameters: :destination_id, :priority_order, :message_id, :max_inline_body (a larger body comes as null)
-- Properties of more than 8192 characters come as their length.
-- Index: primary key, one seek; primary key of suspect_mark, one seek: whether it may have been in delivery when a JVM died.
-- Locks: FOR UPDATE on the row until the transaction ends, without waiting.
SELECT destination_id, priority_order, message_id, jms_message_id, jms_destination, reply_to, correlation_id, jms_type,
       delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, group_id,
       CASE WHEN CHAR_LENGTH(properties) <= 8192 THEN properties ELSE CAST(CHAR_LENGTH(properties) AS VARCHAR) END AS properties,
       body_kind, body_format,
       body_length, delivery_count,
       CASE WHEN OCTET_LENGTH(body) <= :max_inline_body THEN body END AS body,
       CASE WHEN EXISTS (
           SELECT 1 FROM readpast.suspect_mark s WHERE s.destination_id = message.destination_id AND s.up_to >= message.message_id)
           THEN 1 ELSE 0 END AS suspect
FROM readpast.message
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
  AND (expires_at IS NULL OR expires_at > DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'))
FOR UPDATE SKIP LOCKED
