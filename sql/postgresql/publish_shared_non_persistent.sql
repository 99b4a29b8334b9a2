-- Puts a copy of one message into each of these subscriptions of a topic, with one body for all, and returns how many there are; none if the
-- topic's version is no longer the one with which its subscriptions were read. Where the statement commits by itself, it does so without
-- waiting for the disk, as commit_non_persistent does.
-- Parameters: those of publish_shared_message
-- Index: primary key of readpast.destination, two seeks and one for each subscription; appends to readpast.shared_body and readpast.message.
-- Locks: the new rows, until the end of the statement.
WITH /* include share_body */,
published AS (
/* include shared_copies */
RETURNING 1 AS one)
SELECT CAST(count(*) AS int) AS inserted, set_config('synchronous_commit', 'off', true) AS synchronous_commit
FROM published
