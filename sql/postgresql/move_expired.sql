-- Moves messages of one queue that have expired to another queue, where they never expire. Fails, and moves nothing, where there is no
-- such queue.
-- Parameters: :destination_id, :target_id, :target (its name), :max
-- Index: message_expiry from its start; primary key, one seek for each row; readpast.destination by key.
-- Locks: the moved rows; rows that others hold are stepped over.
WITH doomed AS (
    SELECT destination_id, priority_order, message_id
    /* include free_expired */)
/* include move_doomed */
