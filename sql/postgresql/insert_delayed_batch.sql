-- Puts messages among those that are not due yet, in the order of the arrays. The transaction's id comes along, so that a commit in
-- doubt can be asked for.
-- Parameters: those of insert_message_batch, and :delay_millis (what is left of the delivery delays)
-- Fails for want of a destination_id where the row of a destination, whose name ends :jms_destination, is gone or is another's now, and
--   where the queue was moved to another database.
-- Index: primary key of readpast.destination; appends to the key of readpast.delayed_message.
-- Locks: the new rows.
WITH sent AS (
    INSERT INTO readpast.delayed_message (
    destination_id /* include sent_columns */, expires_at, due_at)
    SELECT
        d.destination_id /* include sent_rows */, statement_timestamp() + delay_millis * interval '1 millisecond'
    FROM unnest(
        /* include sent_arrays */, CAST(:delay_millis AS bigint[])
    ) WITH ORDINALITY AS message (
    destination_id /* include sent_columns */, ttl_millis, delay_millis, position)
    LEFT JOIN readpast.destination d ON d.destination_id = message.destination_id AND d.kind IN ('Q', 'TQ')
        AND d.name = substring(jms_destination FROM position('://' IN jms_destination) + 3)
        AND COALESCE(d.moved, 'here') = 'here'
    ORDER BY position)
SELECT CAST(pg_current_xact_id() AS text) AS transaction_id
