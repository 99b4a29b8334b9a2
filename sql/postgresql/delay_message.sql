-- Moves a message that came back to those that are not due yet, and counts the delivery. A message that somebody else has
-- claimed meanwhile is left alone.
-- The highest number that there is is followed by 1.
-- Parameters: :destination_id, :priority_order, :message_id, :delay_millis
-- Index: primary key, one seek; appends to the key of readpast.delayed_message.
-- Locks: the row, without waiting.
WITH held AS (
    SELECT destination_id, priority_order, message_id
    /* include free_row */), gone AS (
    DELETE FROM readpast.message m
    USING held h
    WHERE m.destination_id = h.destination_id AND m.priority_order = h.priority_order AND m.message_id = h.message_id
    RETURNING m.*)
INSERT INTO readpast.delayed_message (
    due_at, message_id, destination_id, priority_order /* include moved_columns */,
    delivery_count)
SELECT
    statement_timestamp() + CAST(:delay_millis AS bigint) * interval '1 millisecond', message_id, destination_id, priority_order /* include moved_columns */,
    delivery_count % 2147483647 + 1
FROM gone
