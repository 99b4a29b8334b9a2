-- A page of a queue's messages behind a key, in the order of delivery, without bodies; of dead letters with properties, unless these are
-- long. What somebody has in a transaction is among them.
-- Parameters: :destination_id, :after_priority and :after_id (-1 and 0 for the head), :most
-- Index: the key of message, two ranges: the rest of one priority, and the priorities behind it.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.message, readpast.destination
SELECT m.priority_order, m.message_id, m.jms_message_id, m.jms_type, m.correlation_id, m.group_id, m.jms_timestamp,
       m.enqueued_at, m.expires_at, m.delivery_count, m.body_kind, m.body_length, o.name AS origin,
       CASE WHEN m.origin_id IS NULL THEN 0 ELSE 1 END AS is_dead, CASE WHEN m.expires_at <= CURRENT_TIMESTAMP THEN 'expired' ELSE 'waiting' END AS state,
       CAST(NULL AS TIMESTAMP(6) WITH TIME ZONE) AS due_at, CAST(NULL AS varchar) AS worker, CAST(NULL AS TIMESTAMP(6) WITH TIME ZONE) AS held_at, CAST(NULL AS TIMESTAMP(6) WITH TIME ZONE) AS claimed_at,
       CASE WHEN m.origin_id IS NOT NULL AND CHAR_LENGTH(m.properties) <= 8192 THEN m.properties END AS properties
FROM (
    SELECT f.* FROM (
        SELECT r.* FROM (
          SELECT m.* FROM readpast.message m
          WHERE m.destination_id = :destination_id AND m.priority_order = :after_priority AND m.message_id > :after_id
          ORDER BY m.destination_id, m.priority_order, m.message_id
          LIMIT :most) r
        UNION ALL
        SELECT l.* FROM (
          SELECT m.* FROM readpast.message m
          WHERE m.destination_id = :destination_id AND m.priority_order >= :after_priority + 1
          ORDER BY m.destination_id, m.priority_order, m.message_id
          LIMIT :most) l) f
    ORDER BY f.destination_id, f.priority_order, f.message_id
    LIMIT :most) m
LEFT JOIN readpast.destination o ON o.destination_id = m.origin_id
ORDER BY m.priority_order, m.message_id
