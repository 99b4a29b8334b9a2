-- Puts delayed messages that have become due into their queues and returns those queues. Those that come for the first time get new
-- ids in the order of their due times, as if they were sent now: claims may have gone beyond their old ones. Those that come again
-- take their old places, unless another message has them, as after a restore of one table and not of the other. One mover at a time, so that the ids are in order; who comes second moves nothing.
-- Parameters: :max
-- Index: primary key of readpast.delayed_message from its start; appends to readpast.message.
-- Locks: the advisory lock of movers and the moved rows; rows that others hold are stepped over.
WITH mover AS MATERIALIZED (
    SELECT pg_try_advisory_xact_lock(hashtextextended('readpast:move_due', 0)) AS alone), due AS (
    SELECT due_at, message_id
    FROM readpast.delayed_message
    WHERE due_at <= statement_timestamp()
      AND (SELECT alone FROM mover)
    ORDER BY due_at, message_id
    LIMIT :max
    FOR UPDATE SKIP LOCKED), gone AS (
    DELETE FROM readpast.delayed_message m
    USING due d
    WHERE m.due_at = d.due_at AND m.message_id = d.message_id
    RETURNING m.*), moved AS (
    INSERT INTO readpast.message (
    destination_id, priority_order, message_id /* include moved_columns */,
    delivery_count)
    SELECT
    destination_id, priority_order,
    CASE WHEN delivery_count = 0 OR readpast.is_taken(destination_id, priority_order, message_id)
        THEN nextval('readpast.message_seq') ELSE message_id END /* include moved_columns */,
    delivery_count
    FROM (SELECT * FROM gone ORDER BY due_at, message_id) AS in_order
    RETURNING destination_id)
SELECT DISTINCT destination_id FROM moved
