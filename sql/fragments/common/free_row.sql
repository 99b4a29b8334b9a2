-- The row of one message, locked, unless somebody else holds it.
FROM readpast.message
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
FOR UPDATE SKIP LOCKED
