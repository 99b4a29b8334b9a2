-- A page of a queue's messages that are delayed or claimed by lease, behind a key, without bodies; of dead letters with properties,
-- unless these are long.
-- Parameters: :destination_id, :after_due and :after_id (a moment long ago and 0 for the first), :most
-- Index: delayed_message_destination, one range.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.delayed_message, readpast.destination
SELECT m.priority_order, m.message_id, m.jms_message_id, m.jms_type, m.correlation_id, m.group_id, m.jms_timestamp,
       m.enqueued_at, m.expires_at, m.delivery_count, m.body_kind, m.body_length, o.name AS origin,
       CASE WHEN m.origin_id IS NULL THEN 0 ELSE 1 END AS is_dead, CASE WHEN m.claim_token IS NOT NULL THEN 'claimed' ELSE 'delayed' END AS state,
       m.due_at, m.worker, CAST(NULL AS TIMESTAMP(6) WITH TIME ZONE) AS held_at, m.claimed_at,
       CASE WHEN m.origin_id IS NOT NULL AND CHAR_LENGTH(m.properties) <= 8192 THEN m.properties END AS properties
FROM (
    SELECT * FROM readpast.delayed_message
    WHERE destination_id = :destination_id
      AND due_at >= CAST(:after_due AS TIMESTAMP(9) WITH TIME ZONE) AND (due_at > CAST(:after_due AS TIMESTAMP(9) WITH TIME ZONE) OR message_id > :after_id)
    ORDER BY due_at, message_id
    LIMIT :most) m
LEFT JOIN readpast.destination o ON o.destination_id = m.origin_id
ORDER BY m.due_at, m.message_id
