-- Messages that have been delivered before and were not acknowledged, in queues and among what is delayed.
-- Parameters: none
-- Index: a scan of the keys of message and delayed_message.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.message, readpast.delayed_message, readpast.destination
SELECT d.kind, d.name, f.destination_id, f.messages, f.attempts, f.jms_message_id
FROM (SELECT destination_id, COUNT(*) AS messages, MAX(delivery_count) AS attempts, MIN(jms_message_id) AS jms_message_id
      FROM (SELECT destination_id, delivery_count, jms_message_id FROM readpast.message WHERE delivery_count > 0
            UNION ALL
            SELECT destination_id, delivery_count, jms_message_id FROM readpast.delayed_message
            WHERE delivery_count > 0 AND claim_token IS NULL)
      GROUP BY destination_id) f
INNER JOIN readpast.destination d ON d.destination_id = f.destination_id
ORDER BY d.name
