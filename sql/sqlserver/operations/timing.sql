-- How long messages of the last hour waited and how long they were worked on, of queues that keep a history. In milliseconds.
-- Parameters: none
-- Index: the key of message_history, one stretch of it for each destination.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].queue_timing
SELECT kind, name, destination_id, messages, queue_avg_ms, queue_p95_ms, queue_p99_ms, work_avg_ms, work_p95_ms, work_p99_ms
FROM [readpast].queue_timing
ORDER BY name
OPTION (MAXDOP 1)
