-- A page of a queue's messages behind a key, in the order of delivery, without bodies; of dead letters with properties, unless these are
-- long. What somebody has in a transaction is among them.
-- Parameters: :destination_id, :after_priority and :after_id (-1 and 0 for the head), :most
-- Index: the key of message, one range.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.message, readpast.destination
SELECT m.priority_order, m.message_id, m.jms_message_id, m.jms_type, m.correlation_id, m.group_id, m.jms_timestamp,
       m.enqueued_at, m.expires_at, m.delivery_count, m.body_kind, m.body_length, o.name AS origin,
       CASE WHEN m.origin_id IS NULL THEN 0 ELSE 1 END AS is_dead, CASE WHEN m.expires_at <= statement_timestamp() THEN 'expired' ELSE 'waiting' END AS state,
       CAST(NULL AS timestamptz) AS due_at, CAST(NULL AS varchar) AS worker, CAST(NULL AS timestamptz) AS held_at, CAST(NULL AS timestamptz) AS claimed_at,
       CASE WHEN m.origin_id IS NOT NULL AND length(CAST(m.properties AS text)) <= 8192 THEN CAST(m.properties AS text) END AS properties
FROM (
    SELECT * FROM readpast.message
    WHERE destination_id = :destination_id
      AND (priority_order, message_id) > (CAST(:after_priority AS smallint), CAST(:after_id AS bigint))
    ORDER BY destination_id, priority_order, message_id
    LIMIT CAST(:most AS int)) m
LEFT JOIN readpast.destination o ON o.destination_id = m.origin_id
ORDER BY m.priority_order, m.message_id
