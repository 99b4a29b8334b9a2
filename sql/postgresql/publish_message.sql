-- Puts a copy of one message into each of these subscriptions of a topic.
-- It does so only if the topic's version is still the one with which they were read, see topic_version: otherwise no row is
-- inserted, and the caller reads them anew. One whose row somebody has removed is left out.
-- Parameters: :topic_id, :version (the topic's, as it was when its subscriptions were read),
--   :destination_ids (an array literal such as {1,2}), :priority_order, the headers,
--   :properties (JSON or null), :body_kind, :body_format, :body_length, :body (or null),
--   :ttl_millis (what is left of the time to live, null for never)
-- Index: primary key of readpast.destination, two seeks and one for each subscription; appends to readpast.message.
-- Locks: the new rows. None that lasts on the topic, so that publishing and subscribing never wait for each other.
INSERT INTO readpast.message (
    destination_id /* include sent_columns */, expires_at)
SELECT
    w.id /* include sent_values */ /* include expiry */
FROM unnest(CAST(:destination_ids AS int[])) AS w (id)
CROSS JOIN LATERAL (SELECT FROM readpast.destination s WHERE s.destination_id = w.id LIMIT 1) there
/* include topic_unchanged */
