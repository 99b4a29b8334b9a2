-- Moves a message that came back to those that are not due yet, and counts the delivery; the row is locked before with
-- lock_message.
-- The highest number that there is is followed by 1.
-- Parameters: :destination_id, :priority_order, :message_id, :delay_millis
-- Index: primary key, one seek; appends to the key of readpast.delayed_message.
-- Locks: the row, which is held already.
INSERT INTO readpast.delayed_message (
    due_at, message_id, destination_id, priority_order /* include moved_columns */,
    delivery_count)
SELECT
    DATEADD('MILLISECOND', readpast.clock_millis() + CAST(:delay_millis AS BIGINT), /* include epoch */), message_id, destination_id, priority_order /* include moved_columns */,
    delivery_count % 2147483647 + 1
FROM OLD TABLE (
    /* include acknowledge */)
