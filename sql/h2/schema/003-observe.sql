-- Version 3: how fast queues with a history are, within the last hour. What the other databases also show is not to be had here:
-- H2 has no view of locked rows, and no joins that would stop counting at a bound.

-- What became of messages: a row for each queue, consumer and minute in which something did. consumer is null where nobody had
-- claimed the messages.
CREATE OR REPLACE VIEW readpast.throughput AS
SELECT d.kind,
       d.name,
       d.destination_id,
       h.consumer,
       date_trunc('minute', h.completed_at)                  AS "MINUTE",
       count(*) FILTER (WHERE h.outcome = 'completed')       AS completed,
       count(*) FILTER (WHERE h.outcome = 'dead letter')     AS dead_letters,
       count(*) FILTER (WHERE h.outcome = 'expired')         AS expired,
       count(*) FILTER (WHERE h.outcome = 'purged')          AS purged
FROM readpast.destination d
JOIN readpast.message_history h ON h.destination_id = d.destination_id
WHERE h.completed_at >= CURRENT_TIMESTAMP - INTERVAL '60' MINUTE
GROUP BY d.kind, d.name, d.destination_id, h.consumer, date_trunc('minute', h.completed_at);

-- How long messages that were completed waited (queue) and how long they were with their consumers (work): average, and what 50,
-- 95 and 99 of a hundred did not exceed. In milliseconds; of those of which it is known when they were claimed.
CREATE OR REPLACE VIEW readpast.queue_timing AS
SELECT d.kind,
       d.name,
       d.destination_id,
       count(*)                                                               AS messages,
       CAST(avg(h.queue_ms) AS bigint)                                        AS queue_avg_ms,
       percentile_disc(0.50) WITHIN GROUP (ORDER BY h.queue_ms)               AS queue_p50_ms,
       percentile_disc(0.95) WITHIN GROUP (ORDER BY h.queue_ms)               AS queue_p95_ms,
       percentile_disc(0.99) WITHIN GROUP (ORDER BY h.queue_ms)               AS queue_p99_ms,
       CAST(avg(h.work_ms) AS bigint)                                         AS work_avg_ms,
       percentile_disc(0.50) WITHIN GROUP (ORDER BY h.work_ms)                AS work_p50_ms,
       percentile_disc(0.95) WITHIN GROUP (ORDER BY h.work_ms)                AS work_p95_ms,
       percentile_disc(0.99) WITHIN GROUP (ORDER BY h.work_ms)                AS work_p99_ms
FROM readpast.destination d
JOIN (SELECT destination_id,
             datediff(millisecond, enqueued_at, claimed_at)    AS queue_ms,
             datediff(millisecond, claimed_at, completed_at)   AS work_ms
      FROM readpast.message_history
      WHERE outcome = 'completed' AND completed_at >= CURRENT_TIMESTAMP - INTERVAL '60' MINUTE) h
    ON h.destination_id = d.destination_id
GROUP BY d.kind, d.name, d.destination_id;

-- The same for each consumer of each queue; host and process while the consumer, a client id or a JVM, is connected.
CREATE OR REPLACE VIEW readpast.consumer_timing AS
SELECT d.kind,
       d.name,
       d.destination_id,
       h.consumer,
       p.host,
       p.process,
       count(*)                                                               AS messages,
       CAST(avg(h.queue_ms) AS bigint)                                        AS queue_avg_ms,
       percentile_disc(0.50) WITHIN GROUP (ORDER BY h.queue_ms)               AS queue_p50_ms,
       percentile_disc(0.95) WITHIN GROUP (ORDER BY h.queue_ms)               AS queue_p95_ms,
       percentile_disc(0.99) WITHIN GROUP (ORDER BY h.queue_ms)               AS queue_p99_ms,
       CAST(avg(h.work_ms) AS bigint)                                         AS work_avg_ms,
       percentile_disc(0.50) WITHIN GROUP (ORDER BY h.work_ms)                AS work_p50_ms,
       percentile_disc(0.95) WITHIN GROUP (ORDER BY h.work_ms)                AS work_p95_ms,
       percentile_disc(0.99) WITHIN GROUP (ORDER BY h.work_ms)                AS work_p99_ms
FROM readpast.destination d
JOIN (SELECT destination_id,
             consumer,
             datediff(millisecond, enqueued_at, claimed_at)    AS queue_ms,
             datediff(millisecond, claimed_at, completed_at)   AS work_ms
      FROM readpast.message_history
      WHERE outcome = 'completed' AND completed_at >= CURRENT_TIMESTAMP - INTERVAL '60' MINUTE) h
    ON h.destination_id = d.destination_id
LEFT JOIN readpast.client_id i ON i.client_id = h.consumer
LEFT JOIN readpast.presence p ON p.instance = coalesce(i.instance, h.consumer)
GROUP BY d.kind, d.name, d.destination_id, h.consumer, p.host, p.process;

-- Since when there is something in each history that is kept for some days; null where it is empty.
CREATE OR REPLACE VIEW readpast.history_age AS
SELECT d.kind,
       d.name,
       d.destination_id,
       d.history_days,
       (SELECT min(h.completed_at)
        FROM readpast.message_history h
        WHERE h.destination_id = d.destination_id)            AS oldest_completed_at
FROM readpast.destination d
WHERE d.history_days IS NOT NULL;

-- Messages whose destination has no row any more, so that no client finds them: it was deleted while somebody sent to it. A row for each
-- destination_id, apart for what waits and what is delayed or leased. Destinations that clients removed, whose last messages they are
-- about to remove, are left out.
CREATE OR REPLACE VIEW readpast.orphaned_message AS
SELECT m.destination_id,
       min(m.jms_destination)  AS jms_destination,
       m.is_delayed,
       count(*)                AS messages,
       min(m.enqueued_at)      AS oldest_enqueued_at
FROM (SELECT d.destination_id, lead(d.destination_id, 1, 2147483647) OVER (ORDER BY d.destination_id) AS next_id
      FROM readpast.destination d) gap
JOIN (SELECT destination_id, jms_destination, 0 AS is_delayed, enqueued_at FROM readpast.message
      UNION ALL
      SELECT destination_id, jms_destination, 1, enqueued_at FROM readpast.delayed_message) m
  ON m.destination_id > gap.destination_id AND m.destination_id < gap.next_id
WHERE gap.next_id > gap.destination_id + 1
  AND NOT EXISTS (SELECT 1 FROM readpast.dropped_destination x WHERE x.destination_id = m.destination_id)
GROUP BY m.destination_id, m.is_delayed;

MERGE INTO readpast.schema_version (version, script) KEY (version) VALUES (3, '003-observe.sql');
