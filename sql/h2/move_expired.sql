-- Moves an expired message to another queue, where it never expires; the row is locked before with lock_message. Fails, and
-- moves nothing, where no queue of that id has that name.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id, :target (its name)
-- Index: primary key, one seek; readpast.destination by key.
-- Locks: the row, which is held already.
UPDATE readpast.message
SET origin_id = destination_id /* include at_target */
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
