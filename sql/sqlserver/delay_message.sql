-- Moves a message that came back to those that are not due yet, and counts the delivery. A message that somebody else has
-- claimed meanwhile is left alone.
-- The highest number that there is is followed by 1.
-- Parameters: :destination_id, :priority_order, :message_id, :delay_millis
-- Index: message_key, one seek; appends to the key of [readpast].delayed_message.
-- Locks: X on the row, without waiting.
DELETE FROM [readpast].message WITH (READPAST, ROWLOCK)
OUTPUT
    DATEADD(millisecond, CAST(:delay_millis % 1000 AS int), DATEADD(second, CAST(:delay_millis / 1000 AS int), SYSUTCDATETIME())), deleted.message_id, deleted.destination_id, deleted.priority_order /* include deleted_moved_columns */,
    deleted.delivery_count % 2147483647 + 1
INTO [readpast].delayed_message (
    due_at, message_id, destination_id, priority_order /* include moved_columns */,
    delivery_count)
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
