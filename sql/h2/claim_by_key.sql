-- Claims the message with this key, if nobody holds it.
-- Parameters: :destination_id, :priority_order, :message_id, :max_inline_body (a larger body comes as null)
-- Properties of more than 8192 characters come as their length.
-- Index: primary key, one seek; primary key of suspect_mark, one seek: whether it may have been in delivery when a JVM died.
-- Locks: FOR UPDATE on the row until the transaction ends, without waiting.
SELECT m.destination_id /* include claimed_columns */
FROM readpast.message m
WHERE m.destination_id = :destination_id AND m.priority_order = :priority_order AND m.message_id = :message_id
  /* include unexpired */
FOR UPDATE SKIP LOCKED
