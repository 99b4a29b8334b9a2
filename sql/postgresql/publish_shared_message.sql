-- Puts a copy of one message into each of these subscriptions of a topic, with one body for all, which is stored once.
-- It does so only if the topic's version is still the one with which they were read, see topic_version: otherwise nothing is
-- inserted, and the caller reads them anew. One whose row somebody has removed is left out; where that is so of all of them, the body is
-- left to remove_unused_bodies.
-- Parameters: those of publish_message, of which :body is null, and :shared_body
-- Index: primary key of readpast.destination, two seeks and one for each subscription; appends to readpast.shared_body and readpast.message.
-- Locks: the new rows. None that lasts on the topic, so that publishing and subscribing never wait for each other.
WITH /* include share_body */
/* include shared_copies */
