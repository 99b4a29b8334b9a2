-- Puts a copy of one message into each of these subscriptions of a topic, with one body
-- for all, and commits, in one round trip; returns how many rows were inserted.
-- It does so only if the topic's version is still the one with which they were read, see topic_version: otherwise nothing is
-- inserted, and the caller reads them anew.
-- Entered: in no transaction; an insert begins one.
-- Parameters: those of publish_shared_message
-- Index: primary key of [readpast].destination, two seeks and one for each subscription; appends to [readpast].shared_body and [readpast].message.
-- Locks: the new rows. None that lasts on the topic, so that publishing and subscribing never wait for each other.
/* include publish_shared_message */;
SELECT @@ROWCOUNT AS inserted;
COMMIT TRANSACTION
