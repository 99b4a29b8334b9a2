-- Version 2: what an administrator looks at. Read without locks, so that looking never stops a consumer.
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
GO

-- One row for each destination: how many messages wait, since when the oldest does, how many are delayed, claimed by
-- workers or held by an administrator, and how many of its messages now lie elsewhere as dead letters. A subscription also says what it is, its topic or the
-- wildcards for several, and how many consumers are active.
-- Counts all of both message tables, whatever it is asked for: for a look now and then. For more, queue_depth stops counting at a bound.
CREATE VIEW [readpast].queue_overview AS
SELECT d.destination_id,
       d.kind,
       d.name,
       COALESCE(w.depth, 0)         AS depth,
       w.oldest_enqueued_at,
       COALESCE(y.delayed, 0)       AS delayed,
       y.next_due_at,
       COALESCE(y.claimed, 0)       AS claimed,
       COALESCE(y.held, 0)          AS held,
       COALESCE(o.dead_letters, 0)  AS dead_letters,
       COALESCE(s.pattern, t.name)  AS topic,
       s.client_id,
       s.name                       AS subscription,
       s.durable,
       s.shared,
       s.selector,
       CASE WHEN s.name IS NULL AND s.destination_id IS NOT NULL THEN 1 ELSE COALESCE(c.consumers, 0) END AS consumers
FROM [readpast].destination AS d WITH (NOLOCK)
LEFT JOIN (SELECT destination_id, COUNT_BIG(*) AS depth, MIN(enqueued_at) AS oldest_enqueued_at
           FROM [readpast].message WITH (NOLOCK) GROUP BY destination_id) w ON w.destination_id = d.destination_id
LEFT JOIN (SELECT destination_id,
                  COUNT_BIG(*) - COUNT_BIG(claim_token) - COUNT_BIG(held_at) AS delayed,
                  MIN(CASE WHEN claim_token IS NULL AND held_at IS NULL THEN due_at END) AS next_due_at,
                  COUNT_BIG(claim_token) AS claimed,
                  COUNT_BIG(held_at) AS held
           FROM [readpast].delayed_message WITH (NOLOCK) GROUP BY destination_id) y ON y.destination_id = d.destination_id
LEFT JOIN (SELECT origin_id, COUNT_BIG(*) AS dead_letters
           FROM [readpast].message WITH (NOLOCK) WHERE origin_id IS NOT NULL GROUP BY origin_id) o ON o.origin_id = d.destination_id
LEFT JOIN [readpast].subscription AS s WITH (NOLOCK) ON s.destination_id = d.destination_id
LEFT JOIN [readpast].destination AS t WITH (NOLOCK) ON t.destination_id = s.topic_id
LEFT JOIN (SELECT destination_id, COUNT_BIG(*) AS consumers
           FROM [readpast].subscription_consumer WITH (NOLOCK) GROUP BY destination_id) c ON c.destination_id = d.destination_id
WHERE d.kind <> 'W';
GO

-- Messages with their queue's name, and text bodies (text messages, and the JSON of map and stream messages) as text. It steps over rows that
-- others are writing or deleting: a large column that is read without locks while its row goes is error 7105, of severity 22. So it cannot be read
-- with NOLOCK from outside, nor at SERIALIZABLE.
CREATE VIEW [readpast].message_text AS
SELECT d.kind,
       d.name,
       m.destination_id,
       m.priority_order,
       m.message_id,
       m.jms_message_id,
       m.correlation_id,
       m.jms_type,
       m.enqueued_at,
       m.expires_at,
       m.delivery_count,
       m.properties,
       m.body_kind,
       m.body_length,
       CASE WHEN m.body_format = 3 AND m.body_id IS NULL THEN CAST(m.body AS nvarchar(max))
            WHEN m.body_format = 3 THEN CAST(b.body AS nvarchar(max)) END AS body_text
FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK)
JOIN [readpast].destination AS d WITH (NOLOCK) ON d.destination_id = m.destination_id
LEFT JOIN [readpast].shared_body AS b WITH (READPAST, READCOMMITTEDLOCK) ON b.body_id = m.body_id;
GO

-- What workers have claimed through the procedures and not completed, with the deadline of each lease. Past its deadline a message
-- is about to be put back.
CREATE VIEW [readpast].claimed_message AS
SELECT d.kind,
       d.name,
       m.destination_id,
       m.message_id,
       m.jms_message_id,
       m.worker,
       m.delivery_count  AS attempt,
       m.claimed_at,
       m.due_at          AS deadline,
       m.claim_token
FROM [readpast].delayed_message AS m WITH (NOLOCK)
JOIN [readpast].destination AS d WITH (NOLOCK) ON d.destination_id = m.destination_id
WHERE m.claim_token IS NOT NULL;
GO

-- Rows of both message tables that are no message, and what is wrong with them: written by hand, by a repair or a restore that went
-- wrong, or by somebody who means harm. A client that meets one counts a delivery, and after the last one puts it among the dead letters
-- as it is: reason, origin_id, deliveries and noted_at are of those. What only a program can tell, such as how deep JSON is, is in reason
-- alone. Reads both tables, and no body: for a look now and then. Locks as message_text.
CREATE VIEW [readpast].malformed_message AS
SELECT d.kind,
       d.name,
       m.destination_id,
       m.priority_order,
       m.message_id,
       m.jms_message_id,
       m.problem,
       u.reason,
       u.origin_id,
       u.deliveries,
       u.noted_at
FROM (SELECT r.destination_id, r.priority_order, r.message_id, r.jms_message_id,
             CASE
                WHEN r.priority_order NOT BETWEEN 0 AND 9 THEN CONCAT(N'priority_order is ', r.priority_order)
                WHEN r.delivery_mode NOT IN (1, 2) THEN CONCAT(N'delivery_mode is ', r.delivery_mode)
                WHEN r.delivery_count < 0 THEN CONCAT(N'delivery_count is ', r.delivery_count)
                WHEN r.body_kind NOT BETWEEN 0 AND 5 THEN CONCAT(N'body_kind is ', r.body_kind)
                WHEN r.body_format NOT BETWEEN 0 AND 3 THEN CONCAT(N'body_format is ', r.body_format)
                WHEN r.body_format = 1 AND r.body_kind NOT IN (2, 5) OR r.body_format IN (2, 3) AND r.body_kind NOT IN (1, 3, 4)
                    THEN CONCAT(N'body_format is ', r.body_format, N' where body_kind is ', r.body_kind)
                WHEN r.body_length NOT BETWEEN 0 AND 2147483647 THEN CONCAT(N'body_length is ', r.body_length)
                WHEN r.body_format = 0 AND (r.body_length > 0 OR r.inline_length IS NOT NULL)
                    THEN N'body_format is 0, which means no body, but there is one'
                WHEN r.body_format > 0 AND COALESCE(r.inline_length, DATALENGTH(b.body)) IS NULL THEN N'body is null'
                WHEN r.body_format > 0 AND r.body_length <> COALESCE(r.inline_length, DATALENGTH(b.body))
                    THEN CONCAT(N'body_length is ', r.body_length, N', but the body has ', COALESCE(r.inline_length, DATALENGTH(b.body)), N' bytes')
                WHEN r.properties IS NULL OR r.properties = N'' THEN NULL
                -- The first bracket of an object is its own.
                WHEN ISJSON(r.properties) = 0 OR CHARINDEX(N'{', r.properties) = 0
                     OR CHARINDEX(N'[', r.properties) BETWEEN 1 AND CHARINDEX(N'{', r.properties)
                    THEN N'properties is no JSON object'
             END AS problem
      FROM (SELECT destination_id, priority_order, message_id, jms_message_id, delivery_mode, delivery_count, properties, body_kind,
                   body_format, body_length, DATALENGTH(body) AS inline_length, body_id
            FROM [readpast].message WITH (READPAST, READCOMMITTEDLOCK)
            UNION ALL
            SELECT destination_id, priority_order, message_id, jms_message_id, delivery_mode, delivery_count, properties, body_kind,
                   body_format, body_length, DATALENGTH(body), body_id
            FROM [readpast].delayed_message WITH (READPAST, READCOMMITTEDLOCK)) AS r
      LEFT JOIN [readpast].shared_body AS b WITH (READPAST, READCOMMITTEDLOCK) ON b.body_id = r.body_id) AS m
JOIN [readpast].destination AS d WITH (NOLOCK) ON d.destination_id = m.destination_id
LEFT JOIN [readpast].unreadable_message AS u WITH (NOLOCK)
    ON u.destination_id = m.destination_id AND u.priority_order = m.priority_order AND u.message_id = m.message_id
WHERE m.problem IS NOT NULL OR u.message_id IS NOT NULL;
GO

-- What a sender writes of a new message, and no more: who may insert here alone chooses no id, no count of deliveries and no origin.
CREATE VIEW [readpast].new_message AS
SELECT destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp,
       jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, expires_at
FROM [readpast].message;
GO

-- The same of a message that is not due yet.
CREATE VIEW [readpast].new_delayed_message AS
SELECT destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp,
       jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, expires_at,
       due_at
FROM [readpast].delayed_message;
GO

-- What whoever needs a destination writes of it.
CREATE VIEW [readpast].new_destination AS
SELECT kind, name
FROM [readpast].destination;
GO

-- What whoever receives writes of a destination that goes with an instance, such as a temporary queue.
CREATE VIEW [readpast].new_owned_destination AS
SELECT kind, name, owner
FROM [readpast].destination;
GO

-- What whoever has the lock of an instance may remove of it: his own, or one that has ended.
CREATE VIEW [readpast].removable_presence AS
SELECT instance
FROM [readpast].presence
WHERE APPLOCK_MODE(N'public', CONCAT(LOWER(N'READPAST'), N':readpast:', instance), N'Session') <> N'NoLock'
   OR APPLOCK_MODE(N'public', CONCAT(LOWER(N'READPAST'), N':readpast:', instance), N'Transaction') <> N'NoLock';
GO

-- The same of what an instance consumed from.
CREATE VIEW [readpast].removable_consumed_destination AS
SELECT instance, destination_id
FROM [readpast].consumed_destination
WHERE APPLOCK_MODE(N'public', CONCAT(LOWER(N'READPAST'), N':readpast:', instance), N'Session') <> N'NoLock'
   OR APPLOCK_MODE(N'public', CONCAT(LOWER(N'READPAST'), N':readpast:', instance), N'Transaction') <> N'NoLock';
GO

-- Traces of commits that nobody will ask for any more.
CREATE VIEW [readpast].removable_commit_marker AS
SELECT token, refused, committed_at
FROM [readpast].commit_marker
WHERE committed_at < DATEADD(minute, -10, SYSUTCDATETIME())
  AND (refused = 0 OR committed_at < DATEADD(day, -1, SYSUTCDATETIME()));
GO

-- Recorded where all of it is there: sqlcmd without -b goes on behind an error.
IF NOT EXISTS (SELECT 1 FROM [readpast].schema_version WHERE version = 2)
BEGIN
    IF (SELECT COUNT(*) FROM sys.objects
        WHERE schema_id = SCHEMA_ID(N'readpast') AND type IN ('FN', 'IF', 'P', 'V') AND name IN (
            N'queue_overview', N'message_text', N'claimed_message', N'malformed_message', N'new_message',
            N'new_delayed_message', N'new_destination', N'new_owned_destination', N'removable_presence',
            N'removable_consumed_destination', N'removable_commit_marker')) < 11
        THROW 50013, N'002-views.sql is not complete: mend what the errors above say, and run it again', 1;
    INSERT INTO [readpast].schema_version (version, script) VALUES (2, N'002-views.sql');
END;
GO
