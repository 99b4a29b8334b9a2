-- Puts a copy of one message among those that are not due yet, for each of these subscriptions of a topic.
-- It does so only if the topic's version is still the one with which they were read, see topic_version: otherwise no row is
-- inserted, and the caller reads them anew. One whose row somebody has removed is left out.
-- Parameters: those of publish_message, and :delay_millis (what is left of the delivery delay)
-- Index: primary key of readpast.destination, two seeks and one for each subscription; appends to the key of readpast.delayed_message.
-- Locks: the new rows. None that lasts on the topic, so that publishing and subscribing never wait for each other.
INSERT INTO readpast.delayed_message (
    destination_id /* include sent_columns */, expires_at, due_at)
SELECT
    w.id /* include typed_values */ /* include expiry */ /* include due */
FROM UNNEST(CAST(:destination_ids AS INTEGER ARRAY)) AS w (id)
JOIN readpast.destination s ON s.destination_id = w.id
/* include topic_unchanged */
