-- Version 7: what whoever runs it looks at: how fast, how far behind, who has what, what was lost. docs/observing.md has the
-- questions, with the query for each. May be run again.
--
-- Looking takes no lock that anybody waits for, and no view shows a body or a property. Views run functions with the rights of
-- whoever looks; so the functions run with those of their owner. Those with settings leave the planner nothing but the key, whatever
-- it believes about a queue that was empty a minute ago.

-- How long messages took that were completed within the last minutes; null where it is not known when they were claimed. In
-- milliseconds.
-- Index: the key of message_history, one stretch of it for each destination.
CREATE OR REPLACE FUNCTION readpast.finished_since(minutes int)
RETURNS TABLE (destination_id int, consumer varchar, queue_ms bigint, work_ms bigint)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
    SELECT h.destination_id, h.consumer,
           round(extract(epoch FROM h.claimed_at - h.enqueued_at) * 1000)::bigint,
           round(extract(epoch FROM h.completed_at - h.claimed_at) * 1000)::bigint
    FROM readpast.destination d
    JOIN readpast.message_history h ON h.destination_id = d.destination_id
    WHERE h.completed_at >= statement_timestamp() - finished_since.minutes * interval '1 minute'
      AND h.outcome = 'completed'
$$;

-- What became of messages within the last minutes: a row for each queue, consumer and minute in which something did. consumer is
-- null where nobody had claimed the messages.
-- Index: the key of message_history, one stretch of it for each destination.
CREATE OR REPLACE FUNCTION readpast.throughput_since(minutes int)
RETURNS TABLE (
    kind varchar, name varchar, destination_id int, consumer varchar, minute timestamptz, completed bigint, dead_letters bigint,
    expired bigint, purged bigint)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
    SELECT d.kind, d.name, d.destination_id, h.consumer, date_trunc('minute', h.completed_at),
           count(*) FILTER (WHERE h.outcome = 'completed'),
           count(*) FILTER (WHERE h.outcome = 'dead letter'),
           count(*) FILTER (WHERE h.outcome = 'expired'),
           count(*) FILTER (WHERE h.outcome = 'purged')
    FROM readpast.destination d
    JOIN readpast.message_history h ON h.destination_id = d.destination_id
    WHERE h.completed_at >= statement_timestamp() - throughput_since.minutes * interval '1 minute'
    GROUP BY d.destination_id, h.consumer, date_trunc('minute', h.completed_at)
$$;

-- How long the messages of each queue that were completed within the last minutes waited (queue) and how long they were with
-- their consumers (work): average, and what 50, 95 and 99 of a hundred did not exceed. In milliseconds.
CREATE OR REPLACE FUNCTION readpast.queue_timing_since(minutes int)
RETURNS TABLE (
    kind varchar, name varchar, destination_id int, messages bigint,
    queue_avg_ms bigint, queue_p50_ms bigint, queue_p95_ms bigint, queue_p99_ms bigint,
    work_avg_ms bigint, work_p50_ms bigint, work_p95_ms bigint, work_p99_ms bigint)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT d.kind, d.name, d.destination_id, t.messages,
           t.queue_avg, t.queue_p[1], t.queue_p[2], t.queue_p[3], t.work_avg, t.work_p[1], t.work_p[2], t.work_p[3]
    FROM (SELECT f.destination_id, count(*) AS messages,
                 avg(f.queue_ms)::bigint AS queue_avg,
                 percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY f.queue_ms) AS queue_p,
                 avg(f.work_ms)::bigint AS work_avg,
                 percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY f.work_ms) AS work_p
          FROM readpast.finished_since(queue_timing_since.minutes) f
          GROUP BY f.destination_id) t
    JOIN readpast.destination d ON d.destination_id = t.destination_id
$$;

-- The same for each consumer of each queue; host and process while the consumer, a client id or a JVM, is connected.
CREATE OR REPLACE FUNCTION readpast.consumer_timing_since(minutes int)
RETURNS TABLE (
    kind varchar, name varchar, destination_id int, consumer varchar, host varchar, process varchar, messages bigint,
    queue_avg_ms bigint, queue_p50_ms bigint, queue_p95_ms bigint, queue_p99_ms bigint,
    work_avg_ms bigint, work_p50_ms bigint, work_p95_ms bigint, work_p99_ms bigint)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT d.kind, d.name, d.destination_id, t.consumer, p.host, p.process, t.messages,
           t.queue_avg, t.queue_p[1], t.queue_p[2], t.queue_p[3], t.work_avg, t.work_p[1], t.work_p[2], t.work_p[3]
    FROM (SELECT f.destination_id, f.consumer, count(*) AS messages,
                 avg(f.queue_ms)::bigint AS queue_avg,
                 percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY f.queue_ms) AS queue_p,
                 avg(f.work_ms)::bigint AS work_avg,
                 percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY f.work_ms) AS work_p
          FROM readpast.finished_since(consumer_timing_since.minutes) f
          GROUP BY f.destination_id, f.consumer) t
    JOIN readpast.destination d ON d.destination_id = t.destination_id
    LEFT JOIN readpast.client_id i ON i.client_id = t.consumer
    LEFT JOIN readpast.presence p ON p.instance = coalesce(i.instance, t.consumer)
$$;

-- The last hour of each.
CREATE OR REPLACE VIEW readpast.throughput AS SELECT * FROM readpast.throughput_since(60);
CREATE OR REPLACE VIEW readpast.queue_timing AS SELECT * FROM readpast.queue_timing_since(60);
CREATE OR REPLACE VIEW readpast.consumer_timing AS SELECT * FROM readpast.consumer_timing_since(60);

-- Since when there is something in each history that is kept for some days.
-- Index: the key of message_history, one seek for each destination.
CREATE OR REPLACE VIEW readpast.history_age AS
SELECT d.kind,
       d.name,
       d.destination_id,
       d.history_days,
       h.completed_at AS oldest_completed_at
FROM readpast.destination d
CROSS JOIN LATERAL (
    SELECT completed_at
    FROM readpast.message_history
    WHERE destination_id = d.destination_id
    ORDER BY completed_at, history_id
    LIMIT 1) h
WHERE d.history_days IS NOT NULL;

-- The first messages, 10,001 at the most, whose destination_id is between two others.
-- Index: the key of message, and delayed_message_destination, a seek in each.
CREATE OR REPLACE FUNCTION readpast.messages_between(low int, high int)
RETURNS TABLE (destination_id int, jms_destination varchar, is_delayed int, enqueued_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
    (SELECT m.destination_id, m.jms_destination, 0, m.enqueued_at
     FROM readpast.message m
     WHERE m.destination_id > low AND m.destination_id < high
     ORDER BY m.destination_id, m.priority_order, m.message_id
     LIMIT 10001)
    UNION ALL
    (SELECT y.destination_id, y.jms_destination, 1, y.enqueued_at
     FROM readpast.delayed_message y
     WHERE y.destination_id > low AND y.destination_id < high
     ORDER BY y.destination_id
     LIMIT 10001)
$$;

-- Messages whose destination has no row any more, so that no client finds them: it was deleted while somebody sent to it. A row for each
-- destination_id, apart for what waits and what is delayed or leased; messages counts 10,001 at the most. Destinations that clients
-- removed, whose last messages they are about to remove, are left out.
-- Index: the key of message, and delayed_message_destination, a seek in each for each gap between the numbers of destinations.
CREATE OR REPLACE VIEW readpast.orphaned_message AS
SELECT m.destination_id,
       min(m.jms_destination)  AS jms_destination,
       m.is_delayed,
       count(*)                AS messages,
       min(m.enqueued_at)      AS oldest_enqueued_at
FROM (SELECT d.destination_id, lead(d.destination_id, 1, 2147483647) OVER (ORDER BY d.destination_id) AS next_id
      FROM readpast.destination d) AS gap
CROSS JOIN LATERAL readpast.messages_between(gap.destination_id, gap.next_id) m
WHERE gap.next_id > gap.destination_id + 1
  AND NOT EXISTS (SELECT 1 FROM readpast.dropped_destination x WHERE x.destination_id = m.destination_id)
GROUP BY m.destination_id, m.is_delayed;

-- How many messages wait in a queue, up to 10,001, and since when the oldest does: the first of each priority is the oldest of it.
-- Index: the key of message, 10,001 rows from the queue's head and ten seeks.
CREATE OR REPLACE FUNCTION readpast.depth_of(destination_id int)
RETURNS TABLE (counted bigint, oldest_enqueued_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
    SELECT (SELECT count(*)
            FROM (SELECT 1 FROM readpast.message m WHERE m.destination_id = depth_of.destination_id LIMIT 10001) AS first),
           (SELECT min(f.enqueued_at)
            FROM generate_series(0, 9) AS p
            CROSS JOIN LATERAL (
                SELECT m.enqueued_at
                FROM readpast.message m
                WHERE m.destination_id = depth_of.destination_id AND m.priority_order = p
                ORDER BY m.message_id
                LIMIT 1) f)
$$;

-- How far behind each queue or subscription is, at a price that does not grow with it: depth counts 10,000 messages at the
-- most, and at_least is 1 where there are more. Messages in somebody's transaction count; delayed ones and leases do not.
CREATE OR REPLACE VIEW readpast.queue_depth AS
SELECT d.kind,
       d.name,
       d.destination_id,
       least(w.counted, 10000)                                                         AS depth,
       CASE WHEN w.counted > 10000 THEN 1 ELSE 0 END                                   AS at_least,
       w.oldest_enqueued_at,
       extract(epoch FROM statement_timestamp() - w.oldest_enqueued_at)::bigint        AS oldest_seconds
FROM readpast.destination d
CROSS JOIN LATERAL readpast.depth_of(d.destination_id) w
WHERE d.kind <> 'W';

-- The first 10,000 messages of a queue. locker is the transaction, or the set of transactions, that locked the row last: it may be
-- over long since.
-- Index: the key of message.
CREATE OR REPLACE FUNCTION readpast.first_messages(destination_id int)
RETURNS TABLE (
    priority_order smallint, message_id bigint, jms_message_id varchar, delivery_count int, enqueued_at timestamptz, locker xid)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
    SELECT m.priority_order, m.message_id, m.jms_message_id, m.delivery_count, m.enqueued_at, m.xmax
    FROM readpast.message m
    WHERE m.destination_id = first_messages.destination_id
    ORDER BY m.destination_id, m.priority_order, m.message_id
    LIMIT 10000
$$;

-- The sessions of transactions that have a number, savepoints' own numbers included; null for prepared transactions. Address and
-- time are null for sessions of others' users, unless the owner of this function is a superuser or in pg_read_all_stats.
CREATE OR REPLACE FUNCTION readpast.lock_holders()
RETURNS TABLE (
    transaction_id xid, session_id int, application text, login name, address inet, port int, since timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT l.transactionid, a.pid, a.application_name, a.usename, a.client_addr, a.client_port, a.xact_start
    FROM pg_locks l
    LEFT JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted
$$;

-- The transactions that a locker may stand for: itself, and where it is the number of a set, that set's. The two are numbered
-- apart, and the row does not show which it is; asking for a set that there is not is an error.
CREATE OR REPLACE FUNCTION readpast.lockers(locker xid)
RETURNS SETOF xid
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN NEXT locker;
    RETURN QUERY SELECT m.xid FROM pg_get_multixact_members(locker) m;
EXCEPTION WHEN OTHERS THEN
    RETURN;
END
$$;

-- Messages among the first 10,000 of each queue that are in somebody's transaction: received and not acknowledged, or just being
-- acknowledged. host and process are what the provider wrote into the name of its connection, or the address of another client;
-- since is when the transaction began.
CREATE OR REPLACE VIEW readpast.locked_message AS
SELECT DISTINCT ON (d.destination_id, d.kind, d.name, f.priority_order, f.message_id)
       d.kind,
       d.name,
       d.destination_id,
       f.message_id,
       f.jms_message_id,
       f.delivery_count % 2147483647 + 1                                        AS attempt,
       h.application                                                            AS holder,
       coalesce(substring(h.application FROM '[0-9]+@(.+)$'), host(h.address))  AS host,
       substring(h.application FROM '([0-9]+)@')                                AS process,
       h.session_id,
       h.login,
       h.port,
       h.since,
       extract(epoch FROM statement_timestamp() - h.since)::bigint              AS seconds
FROM readpast.destination d
CROSS JOIN LATERAL readpast.first_messages(d.destination_id) f
CROSS JOIN LATERAL readpast.lockers(f.locker) AS l (transaction_id)
JOIN readpast.lock_holders() h ON h.transaction_id = l.transaction_id
WHERE f.locker <> '0'::xid
ORDER BY d.destination_id, d.kind, d.name, f.priority_order, f.message_id, h.since;

-- Every message that somebody has at the moment: by a lock, until the transaction of session_id ends, or by a lease, until its
-- deadline. holder: the name of the connection, or the worker.
CREATE OR REPLACE VIEW readpast.in_flight_message AS
SELECT kind, name, destination_id, message_id, jms_message_id, attempt, 'lock' AS held_by, holder::varchar AS holder,
       host::varchar AS host, process::varchar AS process, session_id, login::varchar AS login, since, seconds,
       CAST(NULL AS timestamptz) AS deadline
FROM readpast.locked_message
UNION ALL
SELECT c.kind, c.name, c.destination_id, c.message_id, c.jms_message_id, c.attempt, 'lease', c.worker,
       p.host, replace(p.process, 'pid ', ''), NULL, NULL, c.claimed_at,
       extract(epoch FROM statement_timestamp() - c.claimed_at)::bigint, c.deadline
FROM readpast.claimed_message c
LEFT JOIN readpast.presence p ON p.instance = c.worker;

-- Messages that somebody claimed and nobody completed, as far as the rows tell:
-- 'overdue': the lease is over and nobody has put the message back yet;
-- 'gone': the lease is not over, but the JVM that has it is missing or was removed (a worker that has the form of an instance is one);
-- 'returned': it is back in its queue, among the first 10,000, after attempts that failed or were given up;
-- 'delayed': it waits for its next attempt until due_at, among the first 10,000 that wait for a time.
-- seconds: since the deadline, for 'gone' since the claim, for the others since it was sent.
CREATE OR REPLACE VIEW readpast.lost_message AS
SELECT c.kind, c.name, c.destination_id, c.message_id, c.jms_message_id, 'overdue' AS state, c.attempt AS attempts, c.worker,
       c.claimed_at, c.deadline AS due_at, extract(epoch FROM statement_timestamp() - c.deadline)::bigint AS seconds
FROM readpast.claimed_message c
WHERE c.deadline < statement_timestamp()
UNION ALL
SELECT c.kind, c.name, c.destination_id, c.message_id, c.jms_message_id, 'gone', c.attempt, c.worker,
       c.claimed_at, c.deadline, extract(epoch FROM statement_timestamp() - c.claimed_at)::bigint
FROM readpast.claimed_message c
LEFT JOIN readpast.presence p ON p.instance = c.worker
WHERE c.deadline >= statement_timestamp()
  AND (c.worker LIKE '________-____-____-____-____________' OR c.worker LIKE '________-____-____-____-____________@%')
  AND (p.instance IS NULL OR p.missing_since IS NOT NULL)
UNION ALL
SELECT d.kind, d.name, d.destination_id, f.message_id, f.jms_message_id, 'returned', f.delivery_count, NULL,
       NULL, NULL, extract(epoch FROM statement_timestamp() - f.enqueued_at)::bigint
FROM readpast.destination d
CROSS JOIN LATERAL readpast.first_messages(d.destination_id) f
WHERE f.delivery_count > 0
UNION ALL
SELECT d.kind, d.name, d.destination_id, w.message_id, w.jms_message_id, 'delayed', w.delivery_count, NULL,
       NULL, w.due_at, extract(epoch FROM statement_timestamp() - w.enqueued_at)::bigint
FROM (SELECT m.* FROM readpast.delayed_message m ORDER BY m.due_at, m.message_id LIMIT 10000) w
JOIN readpast.destination d ON d.destination_id = w.destination_id
WHERE w.claim_token IS NULL AND w.held_at IS NULL AND w.delivery_count > 0;

REVOKE ALL ON FUNCTION
    readpast.finished_since(int),
    readpast.throughput_since(int),
    readpast.queue_timing_since(int),
    readpast.consumer_timing_since(int),
    readpast.messages_between(int, int),
    readpast.depth_of(int),
    readpast.first_messages(int),
    readpast.lock_holders(),
    readpast.lockers(xid)
    FROM PUBLIC;

INSERT INTO readpast.schema_version (version, script) VALUES (7, '007-observe.sql') ON CONFLICT (version) DO NOTHING;
