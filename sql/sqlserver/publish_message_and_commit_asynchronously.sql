-- Puts a copy of one message into each of these subscriptions of a topic, and commits as commit_asynchronously does, in one round trip;
-- returns how many rows were inserted.
-- It does so only if the topic's version is still the one with which they were read, see topic_version: otherwise no row is
-- inserted, and the caller reads them anew.
-- Entered: in no transaction; the insert begins one.
-- Parameters: those of publish_message
-- Index: primary key of [readpast].destination, two seeks; appends to [readpast].message.
-- Locks: the new rows. None that lasts on the topic, so that publishing and subscribing never wait for each other.
/* include publish_message */;
SELECT @@ROWCOUNT AS inserted;
/* include commit_asynchronously */
