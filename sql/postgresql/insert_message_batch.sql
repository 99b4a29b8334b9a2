-- Puts messages into queues, available at once, in the order of the arrays. The transaction's id comes along, so that a commit in
-- doubt can be asked for.
-- Parameters: arrays of the same length, an element for each message: :destination_id, :priority_order, the headers, :properties
--   (JSON or null), :body_kind, :body_format, :body_length, :body (or null),
--   :ttl_millis (what is left of the time to live, null for never)
-- Index: appends to all of readpast.message.
-- Locks: the new rows.
WITH sent AS (
    INSERT INTO readpast.message (
    destination_id /* include sent_columns */, expires_at)
    SELECT
        destination_id /* include sent_rows */
    FROM unnest(
        /* include sent_arrays */
    ) AS message (
    destination_id /* include sent_columns */, ttl_millis))
SELECT CAST(pg_current_xact_id() AS text) AS transaction_id
