-- Version 6: what whoever runs it looks at: how fast, how far behind, who has what, what was lost. docs/observing.md has the
-- questions, with the query for each. May be run again; then run roles.sql again behind it.
--
-- Everything is read without locks, so that looking never stops a consumer; what others have not committed yet shows. No view shows a
-- body or a property. The functions are views with a parameter: SELECT ... FROM [readpast].throughput_since(5).
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
GO

-- What is there is altered and keeps the rights that were given on it; what is not is made first, and does nothing yet.
IF OBJECT_ID(N'[readpast].throughput_since', N'IF') IS NULL
    EXECUTE (N'CREATE FUNCTION [readpast].throughput_since (@minutes int) RETURNS TABLE AS RETURN (SELECT 50013 AS missing)');
IF OBJECT_ID(N'[readpast].queue_timing_since', N'IF') IS NULL
    EXECUTE (N'CREATE FUNCTION [readpast].queue_timing_since (@minutes int) RETURNS TABLE AS RETURN (SELECT 50013 AS missing)');
IF OBJECT_ID(N'[readpast].consumer_timing_since', N'IF') IS NULL
    EXECUTE (N'CREATE FUNCTION [readpast].consumer_timing_since (@minutes int) RETURNS TABLE AS RETURN (SELECT 50013 AS missing)');
IF OBJECT_ID(N'[readpast].in_flight_message', N'V') IS NOT NULL DROP VIEW [readpast].in_flight_message;
IF OBJECT_ID(N'[readpast].locked_message', N'V') IS NOT NULL DROP VIEW [readpast].locked_message;
IF OBJECT_ID(N'[readpast].lost_message', N'V') IS NOT NULL DROP VIEW [readpast].lost_message;
IF OBJECT_ID(N'[readpast].queue_depth', N'V') IS NOT NULL DROP VIEW [readpast].queue_depth;
IF OBJECT_ID(N'[readpast].throughput', N'V') IS NOT NULL DROP VIEW [readpast].throughput;
IF OBJECT_ID(N'[readpast].queue_timing', N'V') IS NOT NULL DROP VIEW [readpast].queue_timing;
IF OBJECT_ID(N'[readpast].consumer_timing', N'V') IS NOT NULL DROP VIEW [readpast].consumer_timing;
IF OBJECT_ID(N'[readpast].history_age', N'V') IS NOT NULL DROP VIEW [readpast].history_age;
IF OBJECT_ID(N'[readpast].orphaned_message', N'V') IS NOT NULL DROP VIEW [readpast].orphaned_message;
GO

-- What became of messages within the last @minutes: a row for each queue, consumer and minute in which something did. consumer is
-- null where nobody had claimed the messages. More minutes than a hundred years have are a hundred years, here and below: the largest
-- number would lead to a time before the year 1.
-- Index: message_history_key, one stretch of it for each destination.
ALTER FUNCTION [readpast].throughput_since (@minutes int) RETURNS TABLE
AS
RETURN (
    SELECT d.kind,
           d.name,
           d.destination_id,
           h.consumer,
           h.minute,
           COUNT_BIG(CASE WHEN h.outcome = N'completed' THEN 1 END)    AS completed,
           COUNT_BIG(CASE WHEN h.outcome = N'dead letter' THEN 1 END)  AS dead_letters,
           COUNT_BIG(CASE WHEN h.outcome = N'expired' THEN 1 END)      AS expired,
           COUNT_BIG(CASE WHEN h.outcome = N'purged' THEN 1 END)       AS purged
    FROM [readpast].destination AS d WITH (NOLOCK)
    CROSS APPLY (
        SELECT consumer, outcome,
               CAST(DATEADD(minute, DATEDIFF(minute, '2000-01-01', completed_at), '2000-01-01') AS datetime2(0)) AS minute
        FROM [readpast].message_history WITH (NOLOCK, FORCESEEK (message_history_key (destination_id, completed_at)))
        WHERE destination_id = d.destination_id
          AND completed_at >= CAST(DATEADD(minute,
              CASE WHEN @minutes BETWEEN 0 AND 52560000 THEN -@minutes WHEN @minutes > 0 THEN -52560000 ELSE 0 END,
              SYSUTCDATETIME()) AS datetime2(3))) AS h
    GROUP BY d.kind, d.name, d.destination_id, h.consumer, h.minute);
GO

-- How long the messages of each queue that were completed within the last @minutes waited (queue) and how long they were with
-- their consumers (work): average, and what 50, 95 and 99 of a hundred did not exceed. In milliseconds; of those of which it is
-- known when they were claimed. (The n-th of a hundred is counted out, since PERCENTILE_DISC is a window function here and would
-- need a DISTINCT over all rows.)
-- Index: message_history_key, one stretch of it for each destination, sorted twice.
ALTER FUNCTION [readpast].queue_timing_since (@minutes int) RETURNS TABLE
AS
RETURN (
    SELECT d.kind,
           d.name,
           d.destination_id,
           t.messages,
           t.queue_avg_ms, t.queue_p50_ms, t.queue_p95_ms, t.queue_p99_ms,
           t.work_avg_ms, t.work_p50_ms, t.work_p95_ms, t.work_p99_ms
    FROM [readpast].destination AS d WITH (NOLOCK)
    INNER JOIN (
        SELECT destination_id,
               COUNT_BIG(*)                                               AS messages,
               AVG(queue_ms)                                              AS queue_avg_ms,
               MIN(CASE WHEN queue_rank >= 0.50 * timed THEN queue_ms END)  AS queue_p50_ms,
               MIN(CASE WHEN queue_rank >= 0.95 * timed THEN queue_ms END)  AS queue_p95_ms,
               MIN(CASE WHEN queue_rank >= 0.99 * timed THEN queue_ms END)  AS queue_p99_ms,
               AVG(work_ms)                                               AS work_avg_ms,
               MIN(CASE WHEN work_rank >= 0.50 * timed THEN work_ms END)    AS work_p50_ms,
               MIN(CASE WHEN work_rank >= 0.95 * timed THEN work_ms END)    AS work_p95_ms,
               MIN(CASE WHEN work_rank >= 0.99 * timed THEN work_ms END)    AS work_p99_ms
        FROM (SELECT destination_id, queue_ms, work_ms,
                     ROW_NUMBER() OVER (PARTITION BY destination_id, is_timed ORDER BY queue_ms)  AS queue_rank,
                     ROW_NUMBER() OVER (PARTITION BY destination_id, is_timed ORDER BY work_ms)   AS work_rank,
                     COUNT(*) OVER (PARTITION BY destination_id, is_timed)                        AS timed
              FROM (SELECT e.destination_id,
                           CASE WHEN h.claimed_at IS NULL THEN 0 ELSE 1 END              AS is_timed,
                           DATEDIFF_BIG(millisecond, h.enqueued_at, h.claimed_at)        AS queue_ms,
                           DATEDIFF_BIG(millisecond, h.claimed_at, h.completed_at)       AS work_ms
                    FROM [readpast].destination AS e WITH (NOLOCK)
                    CROSS APPLY (
                        SELECT enqueued_at, claimed_at, completed_at
                        FROM [readpast].message_history
                            WITH (NOLOCK, FORCESEEK (message_history_key (destination_id, completed_at)))
                        WHERE destination_id = e.destination_id
                          AND completed_at >= CAST(DATEADD(minute,
                              CASE WHEN @minutes BETWEEN 0 AND 52560000 THEN -@minutes WHEN @minutes > 0 THEN -52560000 ELSE 0 END,
                              SYSUTCDATETIME()) AS datetime2(3))
                          AND outcome = N'completed') AS h) AS f) AS r
        GROUP BY destination_id) AS t ON t.destination_id = d.destination_id);
GO

-- The same for each consumer of each queue; host and process while the consumer, a client id or a JVM, is connected.
ALTER FUNCTION [readpast].consumer_timing_since (@minutes int) RETURNS TABLE
AS
RETURN (
    SELECT d.kind,
           d.name,
           d.destination_id,
           t.consumer,
           p.host,
           p.process,
           t.messages,
           t.queue_avg_ms, t.queue_p50_ms, t.queue_p95_ms, t.queue_p99_ms,
           t.work_avg_ms, t.work_p50_ms, t.work_p95_ms, t.work_p99_ms
    FROM [readpast].destination AS d WITH (NOLOCK)
    INNER JOIN (
        SELECT destination_id,
               consumer,
               COUNT_BIG(*)                                               AS messages,
               AVG(queue_ms)                                              AS queue_avg_ms,
               MIN(CASE WHEN queue_rank >= 0.50 * timed THEN queue_ms END)  AS queue_p50_ms,
               MIN(CASE WHEN queue_rank >= 0.95 * timed THEN queue_ms END)  AS queue_p95_ms,
               MIN(CASE WHEN queue_rank >= 0.99 * timed THEN queue_ms END)  AS queue_p99_ms,
               AVG(work_ms)                                               AS work_avg_ms,
               MIN(CASE WHEN work_rank >= 0.50 * timed THEN work_ms END)    AS work_p50_ms,
               MIN(CASE WHEN work_rank >= 0.95 * timed THEN work_ms END)    AS work_p95_ms,
               MIN(CASE WHEN work_rank >= 0.99 * timed THEN work_ms END)    AS work_p99_ms
        FROM (SELECT destination_id, consumer, queue_ms, work_ms,
                     ROW_NUMBER() OVER (PARTITION BY destination_id, consumer, is_timed ORDER BY queue_ms)  AS queue_rank,
                     ROW_NUMBER() OVER (PARTITION BY destination_id, consumer, is_timed ORDER BY work_ms)   AS work_rank,
                     COUNT(*) OVER (PARTITION BY destination_id, consumer, is_timed)                        AS timed
              FROM (SELECT e.destination_id,
                           h.consumer,
                           CASE WHEN h.claimed_at IS NULL THEN 0 ELSE 1 END              AS is_timed,
                           DATEDIFF_BIG(millisecond, h.enqueued_at, h.claimed_at)        AS queue_ms,
                           DATEDIFF_BIG(millisecond, h.claimed_at, h.completed_at)       AS work_ms
                    FROM [readpast].destination AS e WITH (NOLOCK)
                    CROSS APPLY (
                        SELECT consumer, enqueued_at, claimed_at, completed_at
                        FROM [readpast].message_history
                            WITH (NOLOCK, FORCESEEK (message_history_key (destination_id, completed_at)))
                        WHERE destination_id = e.destination_id
                          AND completed_at >= CAST(DATEADD(minute,
                              CASE WHEN @minutes BETWEEN 0 AND 52560000 THEN -@minutes WHEN @minutes > 0 THEN -52560000 ELSE 0 END,
                              SYSUTCDATETIME()) AS datetime2(3))
                          AND outcome = N'completed') AS h) AS f) AS r
        GROUP BY destination_id, consumer) AS t ON t.destination_id = d.destination_id
    LEFT JOIN [readpast].client_id AS i WITH (NOLOCK) ON i.client_id = t.consumer COLLATE Latin1_General_100_BIN2
    LEFT JOIN [readpast].presence AS p WITH (NOLOCK) ON p.instance = COALESCE(i.instance, t.consumer));
GO

-- The last hour of each.
CREATE VIEW [readpast].throughput AS
SELECT kind, name, destination_id, consumer, minute, completed, dead_letters, expired, purged
FROM [readpast].throughput_since(60);
GO

CREATE VIEW [readpast].queue_timing AS
SELECT kind, name, destination_id, messages,
       queue_avg_ms, queue_p50_ms, queue_p95_ms, queue_p99_ms, work_avg_ms, work_p50_ms, work_p95_ms, work_p99_ms
FROM [readpast].queue_timing_since(60);
GO

CREATE VIEW [readpast].consumer_timing AS
SELECT kind, name, destination_id, consumer, host, process, messages,
       queue_avg_ms, queue_p50_ms, queue_p95_ms, queue_p99_ms, work_avg_ms, work_p50_ms, work_p95_ms, work_p99_ms
FROM [readpast].consumer_timing_since(60);
GO

-- Since when there is something in each history that is kept for some days.
-- Index: message_history_key, one seek for each destination.
CREATE VIEW [readpast].history_age AS
SELECT d.kind,
       d.name,
       d.destination_id,
       d.history_days,
       h.completed_at AS oldest_completed_at
FROM [readpast].destination AS d WITH (NOLOCK)
CROSS APPLY (
    SELECT TOP (1) completed_at
    FROM [readpast].message_history WITH (NOLOCK, FORCESEEK (message_history_key (destination_id)))
    WHERE destination_id = d.destination_id
    ORDER BY destination_id, completed_at, history_id) AS h
WHERE d.history_days IS NOT NULL;
GO

-- Messages whose destination has no row any more, so that no client finds them: it was deleted while somebody sent to it. A row for each
-- destination_id, apart for what waits and what is delayed or leased; messages counts 10,001 at the most. Destinations that clients
-- removed, whose last messages they are about to remove, are left out.
-- Index: message_key and delayed_message_destination, a seek in each for each gap between the numbers of destinations.
CREATE VIEW [readpast].orphaned_message AS
SELECT o.destination_id,
       o.jms_destination,
       o.is_delayed,
       o.messages,
       o.oldest_enqueued_at
FROM (SELECT destination_id, LEAD(destination_id, 1, 2147483647) OVER (ORDER BY destination_id) AS next_id
      FROM [readpast].destination WITH (NOLOCK)) AS gap
CROSS APPLY (
    SELECT m.destination_id, MIN(m.jms_destination) AS jms_destination, 0 AS is_delayed, COUNT_BIG(*) AS messages,
           MIN(m.enqueued_at) AS oldest_enqueued_at
    FROM (SELECT TOP (10001) destination_id, jms_destination, enqueued_at
          FROM [readpast].message WITH (NOLOCK, FORCESEEK (message_key (destination_id)))
          WHERE destination_id > gap.destination_id AND destination_id < gap.next_id
          ORDER BY destination_id, priority_order, message_id) AS m
    GROUP BY m.destination_id
    UNION ALL
    SELECT y.destination_id, MIN(y.jms_destination), 1, COUNT_BIG(*), MIN(y.enqueued_at)
    FROM (SELECT TOP (10001) destination_id, jms_destination, enqueued_at
          FROM [readpast].delayed_message WITH (NOLOCK, FORCESEEK (delayed_message_destination (destination_id)))
          WHERE destination_id > gap.destination_id AND destination_id < gap.next_id
          ORDER BY destination_id) AS y
    GROUP BY y.destination_id) AS o
WHERE gap.next_id > gap.destination_id + 1
  AND NOT EXISTS (
        SELECT 1 FROM [readpast].dropped_destination AS x WITH (NOLOCK) WHERE x.destination_id = o.destination_id);
GO

-- How far behind each queue or subscription is, at a price that does not grow with it: depth counts 10,000 messages at the
-- most, and at_least is 1 where there are more. Messages in somebody's transaction count while they are only locked; delayed ones and
-- leases do not. The first of each priority is the oldest of it.
-- Index: message_key, 10,001 rows from the queue's head and ten seeks for each queue.
CREATE VIEW [readpast].queue_depth AS
SELECT d.kind,
       d.name,
       d.destination_id,
       CASE WHEN w.counted > 10000 THEN 10000 ELSE w.counted END       AS depth,
       CASE WHEN w.counted > 10000 THEN 1 ELSE 0 END                   AS at_least,
       o.oldest_enqueued_at,
       DATEDIFF_BIG(second, o.oldest_enqueued_at, SYSUTCDATETIME())    AS oldest_seconds
FROM [readpast].destination AS d WITH (NOLOCK)
CROSS APPLY (
    SELECT COUNT_BIG(*) AS counted
    FROM (SELECT TOP (10001) message_id
          FROM [readpast].message WITH (NOLOCK, FORCESEEK (message_key (destination_id)))
          WHERE destination_id = d.destination_id) AS first) AS w
CROSS APPLY (
    SELECT MIN(f.enqueued_at) AS oldest_enqueued_at
    FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS p (priority_order)
    CROSS APPLY (
        SELECT TOP (1) enqueued_at
        FROM [readpast].message WITH (NOLOCK, FORCESEEK (message_key (destination_id, priority_order)))
        WHERE destination_id = d.destination_id AND priority_order = CAST(p.priority_order AS smallint)
        ORDER BY message_id) AS f) AS o
WHERE d.kind <> N'W';
GO

-- Messages among the first 10,000 of each queue whose rows a transaction has locked: received and not acknowledged. since is when
-- the transaction began, host and process are the client's as its driver tells. A message that is being deleted, as by receive_batch,
-- shows no more. A lock and its row are matched by the hash that names the key; the virtual column that has it is widely used and
-- not documented, so a server that does not know it gets the view without rows, as does one without these management views.
-- Needs VIEW SERVER STATE (from SQL Server 2022 on VIEW SERVER PERFORMANCE STATE, on Azure SQL VIEW DATABASE STATE); without it
-- this view and in_flight_message are an error, and claimed_message shows the leases.
-- The server is asked whether it knows the virtual column, since an error in a CREATE VIEW would end the transaction of install.sql
-- (sys.dm_exec_describe_first_result_set returns what would be wrong with a statement, and raises nothing).
DECLARE @unknown int;
SET @unknown = 1;
IF OBJECT_ID(N'sys.dm_tran_locks') IS NOT NULL
    SELECT @unknown = COUNT(*)
    FROM sys.dm_exec_describe_first_result_set(N'
        SELECT f.resource FROM (SELECT %%lockres%% COLLATE DATABASE_DEFAULT AS resource FROM [readpast].message) AS f', NULL, 0)
    WHERE error_number IS NOT NULL;
IF @unknown > 0
    PRINT N'locked_message will be empty: this server does not show which rows are locked';
ELSE
    EXECUTE (N'
CREATE VIEW [readpast].locked_message AS
SELECT d.kind,
       d.name,
       d.destination_id,
       f.message_id,
       f.jms_message_id,
       f.delivery_count % 2147483647 + 1                          AS attempt,
       CAST(s.program_name AS nvarchar(255)) COLLATE DATABASE_DEFAULT  AS holder,
       CAST(s.host_name AS nvarchar(255)) COLLATE DATABASE_DEFAULT  AS host,
       CAST(s.host_process_id AS nvarchar(20)) COLLATE DATABASE_DEFAULT  AS process,
       CAST(s.session_id AS int)                                  AS session_id,
       CAST(s.login_name AS nvarchar(255)) COLLATE DATABASE_DEFAULT  AS login,
       DATEADD(second, -DATEDIFF(second, t.transaction_begin_time, GETDATE()), SYSUTCDATETIME())  AS since,
       CAST(DATEDIFF(second, t.transaction_begin_time, GETDATE()) AS bigint)  AS seconds
FROM [readpast].destination AS d WITH (NOLOCK)
CROSS APPLY (
    SELECT TOP (10000) message_id, jms_message_id, delivery_count, %%lockres%% COLLATE DATABASE_DEFAULT AS resource
    FROM [readpast].message WITH (NOLOCK, FORCESEEK (message_key (destination_id)))
    WHERE destination_id = d.destination_id
    ORDER BY priority_order, message_id) AS f
INNER JOIN sys.dm_tran_locks AS l
    ON l.resource_type = N''KEY''
    AND l.resource_database_id = DB_ID()
    AND l.resource_description COLLATE DATABASE_DEFAULT = f.resource
    AND l.request_status LIKE N''GRANT%''
    AND l.request_mode IN (N''U'', N''X'')
    AND l.request_owner_type = N''TRANSACTION''
INNER JOIN sys.partitions AS p
    ON p.hobt_id = l.resource_associated_entity_id
    AND p.object_id = OBJECT_ID(N''[readpast].message'')
    AND p.index_id = 1
INNER JOIN sys.dm_exec_sessions AS s ON s.session_id = l.request_session_id
LEFT JOIN sys.dm_tran_active_transactions AS t ON t.transaction_id = l.request_owner_id');
GO

IF OBJECT_ID(N'[readpast].locked_message', N'V') IS NULL
    EXECUTE (N'
CREATE VIEW [readpast].locked_message AS
SELECT kind,
       name,
       destination_id,
       CAST(NULL AS bigint)         AS message_id,
       CAST(NULL AS nvarchar(255))  AS jms_message_id,
       CAST(NULL AS int)            AS attempt,
       CAST(NULL AS nvarchar(255))  AS holder,
       CAST(NULL AS nvarchar(255))  AS host,
       CAST(NULL AS nvarchar(20))   AS process,
       CAST(NULL AS int)            AS session_id,
       CAST(NULL AS nvarchar(255))  AS login,
       CAST(NULL AS datetime2(3))   AS since,
       CAST(NULL AS bigint)         AS seconds
FROM [readpast].destination WITH (NOLOCK)
WHERE 1 = 0');
GO

-- Every message that somebody has at the moment: by a lock, until the transaction of session_id ends, or by a lease, until its
-- deadline. holder: the name of the connection, or the worker.
CREATE VIEW [readpast].in_flight_message AS
SELECT kind, name, destination_id, message_id, jms_message_id, attempt, N'lock' AS held_by, holder, host, process, session_id,
       login, since, seconds, CAST(NULL AS datetime2(3)) AS deadline
FROM [readpast].locked_message
UNION ALL
SELECT c.kind, c.name, c.destination_id, c.message_id, c.jms_message_id, c.attempt, N'lease', c.worker, p.host,
       REPLACE(p.process, N'pid ', N''), NULL, NULL, c.claimed_at,
       DATEDIFF_BIG(second, c.claimed_at, SYSUTCDATETIME()), c.deadline
FROM [readpast].claimed_message AS c
LEFT JOIN [readpast].presence AS p WITH (NOLOCK) ON p.instance = c.worker;
GO

-- Messages that somebody claimed and nobody completed, as far as the rows tell:
-- 'overdue': the lease is over and nobody has put the message back yet;
-- 'gone': the lease is not over, but the JVM that has it is missing or was removed (a worker that has the form of an instance is one);
-- 'returned': it is back in its queue, among the first 10,000, after attempts that failed or were given up;
-- 'delayed': it waits for its next attempt until due_at, among the first 10,000 that wait for a time.
-- seconds: since the deadline, for 'gone' since the claim, for the others since it was sent.
CREATE VIEW [readpast].lost_message AS
SELECT kind, name, destination_id, message_id, jms_message_id, N'overdue' AS state, attempt AS attempts, worker, claimed_at,
       deadline AS due_at, DATEDIFF_BIG(second, deadline, SYSUTCDATETIME()) AS seconds
FROM [readpast].claimed_message
WHERE deadline < SYSUTCDATETIME()
UNION ALL
SELECT c.kind, c.name, c.destination_id, c.message_id, c.jms_message_id, N'gone', c.attempt, c.worker, c.claimed_at,
       c.deadline, DATEDIFF_BIG(second, c.claimed_at, SYSUTCDATETIME())
FROM [readpast].claimed_message AS c
LEFT JOIN [readpast].presence AS p WITH (NOLOCK) ON p.instance = c.worker
WHERE c.deadline >= SYSUTCDATETIME()
  AND c.worker LIKE N'________-____-____-____-____________'
  AND (p.instance IS NULL OR p.missing_since IS NOT NULL)
UNION ALL
SELECT d.kind, d.name, d.destination_id, f.message_id, f.jms_message_id, N'returned', f.delivery_count, NULL, NULL,
       NULL, DATEDIFF_BIG(second, f.enqueued_at, SYSUTCDATETIME())
FROM [readpast].destination AS d WITH (NOLOCK)
CROSS APPLY (
    SELECT TOP (10000) message_id, jms_message_id, delivery_count, enqueued_at
    FROM [readpast].message WITH (NOLOCK, FORCESEEK (message_key (destination_id)))
    WHERE destination_id = d.destination_id
    ORDER BY priority_order, message_id) AS f
WHERE f.delivery_count > 0
UNION ALL
SELECT d.kind, d.name, d.destination_id, w.message_id, w.jms_message_id, N'delayed', w.delivery_count, NULL, NULL,
       w.due_at, DATEDIFF_BIG(second, w.enqueued_at, SYSUTCDATETIME())
FROM (SELECT TOP (10000) destination_id, message_id, jms_message_id, delivery_count, claim_token, held_at, due_at, enqueued_at
      FROM [readpast].delayed_message WITH (NOLOCK)
      ORDER BY due_at, message_id) AS w
INNER JOIN [readpast].destination AS d WITH (NOLOCK) ON d.destination_id = w.destination_id
WHERE w.claim_token IS NULL AND w.held_at IS NULL AND w.delivery_count > 0;
GO

-- Recorded where all of it is there: sqlcmd without -b goes on behind an error.
IF NOT EXISTS (SELECT 1 FROM [readpast].schema_version WHERE version = 6)
BEGIN
    IF (SELECT COUNT(*) FROM sys.objects
        WHERE schema_id = SCHEMA_ID(N'readpast') AND type IN ('FN', 'IF', 'P', 'V')
          AND object_id NOT IN (SELECT object_id FROM sys.sql_modules WHERE definition LIKE N'%50013%') AND name IN (
            N'throughput_since', N'queue_timing_since', N'consumer_timing_since', N'throughput', N'queue_timing',
            N'consumer_timing', N'history_age', N'orphaned_message', N'queue_depth', N'locked_message', N'in_flight_message',
            N'lost_message')) < 12
        THROW 50013, N'006-observe.sql is not complete: mend what the errors above say, and run it again', 1;
    INSERT INTO [readpast].schema_version (version, script) VALUES (6, N'006-observe.sql');
END;
GO
