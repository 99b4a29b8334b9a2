-- The message with this key, whoever holds it; also one that somebody is deleting who has not committed.
-- Parameters: :destination_id, :priority_order, :message_id
-- Index: primary key, one seek.
-- Locks: none.
SELECT jms_message_id, jms_timestamp
FROM readpast.message
WHERE destination_id = :destination_id AND priority_order = :priority_order AND message_id = :message_id
