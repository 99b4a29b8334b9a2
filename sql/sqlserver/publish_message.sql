-- Puts a copy of one message into each of these subscriptions of a topic.
-- It does so only if the topic's version is still the one with which they were read, see topic_version: otherwise no row is
-- inserted, and the caller reads them anew. One whose row somebody has removed is left out.
-- Parameters: :topic_id, :version (the topic's, as it was when its subscriptions were read),
--   :destination_ids (a JSON array of numbers), :priority_order, the headers,
--   :properties (JSON or null), :body_kind, :body_format, :body_length, :body (or null),
--   :ttl_millis (what is left of the time to live, null for never)
-- Index: primary key of [readpast].destination, two seeks and one for each subscription; appends to [readpast].message.
-- Locks: the new rows. None that lasts on the topic and its subscriptions, not even in an application's transaction at REPEATABLE READ, so that
--   subscribing never waits for publishing; where rows are not versioned (READ_COMMITTED_SNAPSHOT), publishing waits for who changes a
--   subscription, which takes a moment.
INSERT INTO [readpast].new_message (
    destination_id /* include sent_columns */, expires_at)
SELECT
    w.id /* include sent_values */ /* include expiry */
FROM OPENJSON(:destination_ids) WITH (id int '$') AS w
INNER LOOP JOIN [readpast].destination AS s WITH (READCOMMITTED, FORCESEEK) ON s.destination_id = w.id
/* include topic_unchanged */
