-- As dead_letter, for a message of a queue with a history: notes in it what has become of the message. The body is not noted, since the
-- dead letter, of the same message_id, goes on having it.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id, :target (its name), :properties (JSON or null), :keep_properties (1 where it keeps its own), :deliveries (how many there were),
--   :held_millis (for how long the consumer has had it; null where that is not known), :consumer
-- Index: message_key, one seek; [readpast].destination by key; appends to message_history_key for each queue.
-- Locks: U and then X on the row, without waiting.
INSERT INTO [readpast].message_history (
    completed_at /* include history_columns */, delivery_count, enqueued_at, claimed_at, consumer, outcome)
SELECT
    SYSUTCDATETIME() /* include history_columns */, :deliveries, enqueued_at,
    DATEADD(millisecond, -CAST(:held_millis AS int), SYSUTCDATETIME()), :consumer, N'dead letter'
FROM [readpast].message WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id;
IF @@ROWCOUNT = 1
    UPDATE [readpast].message WITH (READPAST, ROWLOCK)
    SET origin_id = destination_id /* include at_target */,
        properties = CASE WHEN :keep_properties = 1 THEN properties ELSE :properties END
    WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
