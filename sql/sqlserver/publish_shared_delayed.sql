-- Puts a copy of one message among those that are not due yet, for each of these subscriptions of a topic, with one body for all, which
-- is stored once.
-- It does so only if the topic's version is still the one with which they were read, see topic_version: otherwise nothing is
-- inserted, and the caller reads them anew. One whose row somebody has removed is left out; where that is so of all of them, or where the
-- second statement fails and what the first has done is committed all the same, the body is left to remove_unused_bodies.
-- Entered: in a transaction, or in none where an insert begins one: body and copies must be committed together.
-- Only the copies are counted (NOCOUNT, which is as before behind a call with parameters).
-- Parameters: those of publish_delayed, of which :body is null, and :shared_body
-- Index: primary key of [readpast].destination, two seeks and one for each subscription; appends to [readpast].shared_body and to the
--   key of [readpast].delayed_message.
-- Locks: the new rows. None that lasts on the topic and its subscriptions, not even in an application's transaction at REPEATABLE READ, so that
--   subscribing never waits for publishing; where rows are not versioned (READ_COMMITTED_SNAPSHOT), publishing waits for who changes a
--   subscription, which takes a moment.
/* include share_body */
INSERT INTO [readpast].new_delayed_message (
    destination_id /* include sent_columns */, body_id, expires_at, due_at)
SELECT
    w.id /* include sent_values */, @body_id /* include expiry */ /* include due */
FROM OPENJSON(:destination_ids) WITH (id int '$') AS w
INNER LOOP JOIN [readpast].destination AS s WITH (READCOMMITTED, FORCESEEK) ON s.destination_id = w.id
WHERE @body_id IS NOT NULL
