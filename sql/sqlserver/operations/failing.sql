-- Messages that have been delivered before and were not acknowledged, among the first 10,000 of each queue and of what is delayed.
-- Parameters: none
-- Index: message_key, 10,000 rows for each queue.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].lost_message
SELECT kind, name, destination_id, COUNT(*) AS messages, MAX(attempts) AS attempts, MIN(jms_message_id) AS jms_message_id
FROM [readpast].lost_message
WHERE state IN (N'returned', N'delayed')
GROUP BY kind, name, destination_id
ORDER BY name
OPTION (MAXDOP 1)
