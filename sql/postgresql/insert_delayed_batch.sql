-- Puts messages among those that are not due yet, in the order of the arrays. The transaction's id comes along, so that a commit in
-- doubt can be asked for.
-- Parameters: those of insert_message_batch, and :delay_millis (what is left of the delivery delays)
-- Index: appends to the key of readpast.delayed_message.
-- Locks: the new rows.
WITH sent AS (
    INSERT INTO readpast.delayed_message (
    destination_id /* include sent_columns */, expires_at, due_at)
    SELECT
        destination_id /* include sent_rows */, statement_timestamp() + delay_millis * interval '1 millisecond'
    FROM unnest(
        /* include sent_arrays */, CAST(:delay_millis AS bigint[])
    ) AS message (
    destination_id /* include sent_columns */, ttl_millis, delay_millis))
SELECT CAST(pg_current_xact_id() AS text) AS transaction_id
