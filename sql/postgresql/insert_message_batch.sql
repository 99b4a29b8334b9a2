-- Puts messages into queues, available at once, in the order of the arrays. The transaction's id comes along, so that a commit in
-- doubt can be asked for.
-- Parameters: arrays of the same length, an element for each message: :destination_id, :priority_order, the headers, :properties
--   (JSON or null), :body_kind, :body_format, :body_length, :body (or null),
--   :ttl_millis (what is left of the time to live, null for never)
-- Fails for want of a destination_id where the row of a destination, whose name ends :jms_destination, is gone or is another's now, and
--   where the queue was moved to another database.
-- Index: primary key of readpast.destination; appends to all of readpast.message.
-- Locks: the new rows.
WITH sent AS (
    INSERT INTO readpast.message (
    destination_id /* include sent_columns */, expires_at)
    SELECT
        d.destination_id /* include sent_rows */
    FROM unnest(
        /* include sent_arrays */
    ) WITH ORDINALITY AS message (
    destination_id /* include sent_columns */, ttl_millis, position)
    LEFT JOIN readpast.destination d ON d.destination_id = message.destination_id AND d.kind IN ('Q', 'TQ')
        AND d.name = substring(jms_destination FROM position('://' IN jms_destination) + 3)
        AND COALESCE(d.moved, 'here') = 'here'
    ORDER BY position)
SELECT CAST(pg_current_xact_id() AS text) AS transaction_id
