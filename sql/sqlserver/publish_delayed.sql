-- Puts a copy of one message among those that are not due yet, for each of these subscriptions of a topic.
-- It does so only if the topic's version is still the one with which they were read, see topic_version: otherwise no row is
-- inserted, and the caller reads them anew. One whose row somebody has removed is left out.
-- Parameters: those of publish_message, and :delay_millis (what is left of the delivery delay)
-- Index: primary key of [readpast].destination, two seeks and one for each subscription; appends to the key of [readpast].delayed_message.
-- Locks: the new rows. None that lasts on the topic and its subscriptions, not even in an application's transaction at REPEATABLE READ, so that
--   subscribing never waits for publishing; where rows are not versioned (READ_COMMITTED_SNAPSHOT), publishing waits for who changes a
--   subscription, which takes a moment.
INSERT INTO [readpast].new_delayed_message (
    destination_id /* include sent_columns */, expires_at, due_at)
SELECT
    w.id /* include sent_values */ /* include expiry */ /* include due */
FROM OPENJSON(:destination_ids) WITH (id int '$') AS w
INNER LOOP JOIN [readpast].destination AS s WITH (READCOMMITTED, FORCESEEK) ON s.destination_id = w.id
/* include topic_unchanged */
