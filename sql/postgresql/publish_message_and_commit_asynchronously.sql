-- Puts a copy of one message into each of these subscriptions of a topic, and commits as commit_asynchronously does: one round trip.
-- Returns how many copies there are; none if the topic's version is no longer the one with which its subscriptions were read.
-- Parameters: those of publish_message
-- Index: primary key of readpast.destination, two seeks and one for each subscription; appends to readpast.message.
-- Locks: the new rows, until the end of the statement.
WITH published AS (
/* include publish_message */
RETURNING destination_id)
SELECT CAST(count(*) AS int) AS inserted FROM published;
/* include commit_asynchronously */
