-- Puts a copy of one message among those that are not due yet, for each of these subscriptions of a topic,
-- and commits, in one round trip; returns how many rows were inserted.
-- It does so only if the topic's version is still the one with which they were read, see topic_version: otherwise no row is
-- inserted, and the caller reads them anew.
-- Entered: in no transaction; the insert begins one.
-- Parameters: those of publish_delayed
-- Index: primary key of [readpast].destination, two seeks; appends to the key of [readpast].delayed_message.
-- Locks: the new rows. None that lasts on the topic, so that publishing and subscribing never wait for each other.
/* include publish_delayed */;
SELECT @@ROWCOUNT AS inserted;
COMMIT TRANSACTION
