-- Puts one message into a queue, available at once. Where the statement commits by itself, it does so without waiting for the disk, as
-- commit_non_persistent does.
-- Parameters: those of insert_message
-- Index: primary key of readpast.destination, a seek; appends to all of readpast.message.
-- Locks: the new row, until the end of the statement.
/* include insert_message */
RETURNING set_config('synchronous_commit', 'off', true) AS synchronous_commit
