-- Messages that have been delivered before and were not acknowledged, among the first 10,000 of each queue and of what is delayed.
-- Parameters: none
-- Index: the key of message, 10,000 rows for each queue.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.lost_message
SELECT kind, name, destination_id, COUNT(*) AS messages, MAX(attempts) AS attempts,
       (array_agg(jms_message_id ORDER BY attempts DESC, message_id))[1] AS jms_message_id
FROM readpast.lost_message
WHERE state IN ('returned', 'delayed')
GROUP BY kind, name, destination_id
ORDER BY name
