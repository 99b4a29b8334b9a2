-- What became of the messages of the last hour, of queues that keep a history.
-- Parameters: none
-- Index: the key of message_history, one stretch of it for each destination.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].throughput
SELECT kind, name, destination_id, SUM(completed) AS completed, SUM(dead_letters) AS dead_letters, SUM(expired) AS expired
FROM [readpast].throughput
GROUP BY kind, name, destination_id
ORDER BY name
OPTION (MAXDOP 1)
