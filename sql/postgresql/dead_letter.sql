-- Moves a message to another queue, as one that is available at once and never expires. A message that somebody else has
-- claimed meanwhile is left alone. Fails, and moves nothing, where no queue of that id has that name.
-- Parameters: :destination_id, :priority_order, :message_id, :target_id, :target (its name), :properties (JSON or null), :keep_properties (1 where it keeps its own)
-- Index: primary key, one seek; readpast.destination by key.
-- Locks: the row, without waiting.
WITH held AS (
    SELECT destination_id, priority_order, message_id
    /* include free_row */)
/* include dead_letter_held */
