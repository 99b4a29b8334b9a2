-- Lists rows of a queue's history that are older than it keeps them, or more than it keeps, the oldest first.
-- Parameters: :destination_id, :days (null for no limit), :rows, :max
-- Index: primary key of readpast.message_history, from the queue's end over as many rows as it keeps; then from its start.
-- Locks: none.
SELECT _ROWID_
FROM readpast.message_history
WHERE destination_id = :destination_id
  AND (completed_at < DATEADD('DAY', -CAST(:days AS INT), /* include now */)
    OR (completed_at, history_id) <= (
        SELECT completed_at, history_id
        FROM readpast.message_history
        WHERE destination_id = :destination_id
        ORDER BY destination_id DESC, completed_at DESC, history_id DESC
        OFFSET :rows ROWS FETCH FIRST 1 ROW ONLY))
ORDER BY destination_id, completed_at, history_id
FETCH FIRST :max ROWS ONLY
