-- Notes the duplicate id of a message that is being sent: one row is changed if it is new, or due to be forgotten. No row is if
-- it was noted before, and the message is to be dropped.
-- Parameters: :destination_id, :duplicate_id, :window_millis (how long it is remembered)
-- Index: primary key of readpast.duplicate_id, one seek.
-- Locks: the row, until the transaction ends. Waits for another sender of the same id, and may then fail with a duplicate key;
--   the caller tries that again.
MERGE INTO readpast.duplicate_id AS d
USING (VALUES (CAST(:destination_id AS INT), CAST(:duplicate_id AS VARCHAR))) AS n (destination_id, duplicate_id)
ON d.destination_id = n.destination_id AND d.duplicate_id = n.duplicate_id
WHEN MATCHED AND d.forget_at <= /* include now */ THEN
    UPDATE SET forget_at = DATEADD('MILLISECOND', readpast.clock_millis() + CAST(:window_millis AS BIGINT), /* include epoch */)
WHEN NOT MATCHED THEN
    INSERT (destination_id, duplicate_id, forget_at)
    VALUES (n.destination_id, n.duplicate_id, DATEADD('MILLISECOND', readpast.clock_millis() + CAST(:window_millis AS BIGINT), /* include epoch */))
