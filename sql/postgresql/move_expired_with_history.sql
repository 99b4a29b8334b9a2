-- As move_expired, for a queue with a history: notes in it that the messages have expired. Their bodies are not noted, since the moved
-- messages, of the same message_id, go on having them.
-- Parameters: :destination_id, :target_id, :target (its name), :max
-- Index: message_expiry from its start; primary key, one seek for each row; readpast.destination by key; appends to the primary key of
--   readpast.message_history for each queue.
-- Locks: the moved rows; rows that others hold are stepped over.
WITH doomed AS (
    SELECT *
    /* include free_expired */), kept AS (
    INSERT INTO readpast.message_history (
        completed_at /* include history_columns */, delivery_count, enqueued_at, outcome)
    SELECT
        statement_timestamp() /* include history_columns */, delivery_count, enqueued_at, 'expired'
    FROM doomed)
/* include move_doomed */
