-- Puts a copy of one message into each of these subscriptions of a topic, and returns how many there are; none if the topic's version is no
-- longer the one with which its subscriptions were read. Where the statement commits by itself, it does so without waiting for the disk, as
-- commit_non_persistent does.
-- Parameters: those of publish_message
-- Index: primary key of readpast.destination, two seeks and one for each subscription; appends to readpast.message.
-- Locks: the new rows, until the end of the statement.
WITH published AS (
/* include publish_message */
RETURNING 1 AS one)
SELECT CAST(count(*) AS int) AS inserted, set_config('synchronous_commit', 'off', true) AS synchronous_commit
FROM published
