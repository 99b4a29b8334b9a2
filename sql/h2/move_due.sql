-- Puts delayed messages that have become due into their queues and returns those queues. One whose key another message has, as after a
-- restore of one table and not of the other, gets a new one.
-- Parameters: :max
-- Index: primary key of readpast.delayed_message from its start; appends to readpast.message.
-- Locks: the moved rows; a second mover waits for the first.
SELECT DISTINCT destination_id FROM FINAL TABLE (
    INSERT INTO readpast.message (
    destination_id, priority_order, message_id /* include moved_columns */,
    delivery_count)
    SELECT
    destination_id, priority_order,
    CASE WHEN EXISTS (
            SELECT 1 FROM readpast.message AS m
            WHERE m.destination_id = d.destination_id AND m.priority_order = d.priority_order AND m.message_id = d.message_id)
        THEN NEXT VALUE FOR readpast.message_seq ELSE message_id END /* include moved_columns */,
    delivery_count
    FROM OLD TABLE (
        DELETE FROM readpast.delayed_message
        WHERE due_at <= /* include now */
        FETCH FIRST :max ROWS ONLY) AS d)
