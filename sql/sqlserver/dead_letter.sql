-- Moves a message to another queue, as one that is available at once and never expires. A message that somebody else has
-- claimed meanwhile is left alone. Fails, and moves nothing, where no queue of that id has that name.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id, :target (its name), :properties (JSON or null), :keep_properties (1 where it keeps its own)
-- Index: message_key, one seek; [readpast].destination by key.
-- Locks: X on the row, without waiting.
UPDATE [readpast].message WITH (READPAST, ROWLOCK)
SET origin_id = destination_id /* include at_target */,
    properties = CASE WHEN :keep_properties = 1 THEN properties ELSE :properties END
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
