-- Version 5: what an administrator does to messages: move, copy, retry, expire, purge, hold, release, restored. sql/README.md has examples.
-- May be run again. Errors: 50010 an argument is wrong, or its queue is removed meanwhile.
--
-- Each returns how many messages it did (EXECUTE @done = ...), and does those only that nobody holds at that moment: it waits for
-- nobody and nobody waits for it. It first notes the keys of all that match, without a lock that lasts, and then does @batch of
-- them at a time, in a transaction each; all in the caller's where there is one.
--
-- All but restored have the same conditions; null is any:
--   @queue               the name of a queue or subscription, as queue_overview shows it
--   @jms_message_id, @correlation_id, @type    the header, exactly
--   @property, @property_value    a property and its value as text, exactly; without a value, any
--   @sent_before, @sent_after     when it was sent, in UTC, by the clock of its sender
--   @minimum_deliveries  how often it has been delivered at least
--   @origin              of dead letters: the name of the queue or subscription that they come from
--   @state               waiting, expired, delayed, claimed (by a worker, for the length of a lease) or held; null for all but
--                        claimed and held
--   @most                no more than so many, in the order of delivery
--   @batch               how many in one transaction
--   @keys                messages that somebody has chosen one by one, as a JSON array of objects with p (priority_order), i (message_id),
--                        c (delivery_count), t (jms_timestamp), which may be left out, and, of those in delayed_message, u (due_at). Those
--                        are done that are still as it says and meet @state; the other conditions are null then
--   @claimed_user        who it is for, as the caller says, for the table audit

-- Kept with each procedure; filtered indexes and computed columns need them. What each sets itself: see 003-procedures.sql.
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
GO

-- What is there is altered and keeps the rights that were given on it; what is not is made first, and does nothing yet.
IF OBJECT_ID(N'[readpast].without_dead_letter_notes', N'FN') IS NULL
    EXECUTE (N'CREATE FUNCTION [readpast].without_dead_letter_notes (@properties nvarchar(max)) RETURNS nvarchar(max) AS BEGIN RETURN NULL; /* 50013 */ END');
IF OBJECT_ID(N'[readpast].original_destination', N'FN') IS NULL
    EXECUTE (N'CREATE FUNCTION [readpast].original_destination (@properties nvarchar(max), @origin_id int) RETURNS nvarchar(450) AS BEGIN RETURN NULL; /* 50013 */ END');
IF OBJECT_ID(N'[readpast].find_source', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].find_source AS RETURN 50013');
IF OBJECT_ID(N'[readpast].find_matching', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].find_matching AS RETURN 50013');
IF OBJECT_ID(N'[readpast].find_chosen', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].find_chosen AS RETURN 50013');
IF OBJECT_ID(N'[readpast].move_batch', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].move_batch AS RETURN 50013');
IF OBJECT_ID(N'[readpast].copy_batch', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].copy_batch AS RETURN 50013');
IF OBJECT_ID(N'[readpast].retry_batch', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].retry_batch AS RETURN 50013');
IF OBJECT_ID(N'[readpast].expire_batch', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].expire_batch AS RETURN 50013');
IF OBJECT_ID(N'[readpast].purge_batch', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].purge_batch AS RETURN 50013');
IF OBJECT_ID(N'[readpast].hold_batch', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].hold_batch AS RETURN 50013');
IF OBJECT_ID(N'[readpast].release_batch', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].release_batch AS RETURN 50013');
IF OBJECT_ID(N'[readpast].repair', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].repair AS RETURN 50013');
IF OBJECT_ID(N'[readpast].move', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].move AS RETURN 50013');
IF OBJECT_ID(N'[readpast].copy', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].copy AS RETURN 50013');
IF OBJECT_ID(N'[readpast].retry', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].retry AS RETURN 50013');
IF OBJECT_ID(N'[readpast].expire', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].expire AS RETURN 50013');
IF OBJECT_ID(N'[readpast].purge', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].purge AS RETURN 50013');
IF OBJECT_ID(N'[readpast].hold', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].hold AS RETURN 50013');
IF OBJECT_ID(N'[readpast].release', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].release AS RETURN 50013');
IF OBJECT_ID(N'[readpast].restored', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].restored AS RETURN 50013');
IF OBJECT_ID(N'[readpast].held_message', N'V') IS NOT NULL DROP VIEW [readpast].held_message;
GO

-- What an administrator holds, and when it would have been due, null for at once.
CREATE VIEW [readpast].held_message AS
SELECT d.kind,
       d.name,
       m.destination_id,
       m.message_id,
       m.jms_message_id,
       m.held_at,
       m.held_due_at  AS due_at
FROM [readpast].delayed_message AS m WITH (NOLOCK)
JOIN [readpast].destination AS d WITH (NOLOCK) ON d.destination_id = m.destination_id
WHERE m.held_at IS NOT NULL;
GO

-- The properties of a dead letter without those that say so; null where there are no others. As they are where they are no JSON object.
ALTER FUNCTION [readpast].without_dead_letter_notes (@properties nvarchar(max)) RETURNS nvarchar(max)
AS
BEGIN
    IF [readpast].is_object(@properties) = 0
        RETURN @properties;
    IF @properties LIKE N'%JMS[_]READPAST[_]%'
        SET @properties = JSON_MODIFY(JSON_MODIFY(JSON_MODIFY(JSON_MODIFY(JSON_MODIFY(@properties,
            '$.JMS_READPAST_OriginalDestination', NULL), '$.JMS_READPAST_OriginalMessageID', NULL),
            '$.JMS_READPAST_DeadLetterReason', NULL), '$.JMS_READPAST_DeadLetterTime', NULL),
            '$.JMS_READPAST_Deliveries', NULL);
    IF @properties LIKE N'%JMS[_]READPAST[_]DeadLetterTime%'
        SET @properties = JSON_MODIFY(@properties, '$."@types".JMS_READPAST_DeadLetterTime', NULL);
    IF NOT EXISTS (SELECT 1 FROM OPENJSON(@properties, '$."@types"'))
        SET @properties = JSON_MODIFY(@properties, '$."@types"', NULL);
    RETURN CASE WHEN EXISTS (SELECT 1 FROM OPENJSON(@properties)) THEN @properties END;
END
GO

-- Which destination a dead letter was sent to: what it says itself, or else where it comes from. One that has only expired may have that
-- property from its sender.
ALTER FUNCTION [readpast].original_destination (@properties nvarchar(max), @origin_id int) RETURNS nvarchar(450)
AS
BEGIN
    DECLARE @noted nvarchar(4000);
    IF [readpast].is_object(@properties) = 1
        SET @noted = CASE WHEN EXISTS (SELECT 1 FROM OPENJSON(@properties)
                                       WHERE [key] = N'JMS_READPAST_DeadLetterReason' COLLATE Latin1_General_100_BIN2)
                          THEN JSON_VALUE(@properties, '$.JMS_READPAST_OriginalDestination') END;
    IF LEN(@noted + N'.' COLLATE Latin1_General_100_BIN2) > 451
       OR (@noted NOT LIKE N'queue://_%' COLLATE Latin1_General_100_BIN2
           AND @noted NOT LIKE N'topic://_%' COLLATE Latin1_General_100_BIN2
           AND @noted NOT LIKE N'temp-queue://_%' COLLATE Latin1_General_100_BIN2
           AND @noted NOT LIKE N'temp-topic://_%' COLLATE Latin1_General_100_BIN2)
        SET @noted = NULL;
    RETURN COALESCE(
        @noted,
        (SELECT CASE d.kind WHEN N'Q' THEN N'queue://' + d.name WHEN N'TQ' THEN N'temp-queue://' + d.name
                            ELSE N'topic://' + COALESCE(s.pattern, t.name) END
         FROM [readpast].destination d
         LEFT JOIN [readpast].subscription s ON s.destination_id = d.destination_id
         LEFT JOIN [readpast].destination t ON t.destination_id = s.topic_id
         WHERE d.destination_id = @origin_id));
END
GO

-- The queue or subscription of this name.
ALTER PROCEDURE [readpast].find_source
    @queue           nvarchar(401),
    @destination_id  int OUTPUT
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    -- A queue before a temporary queue before a subscription of the same name.
    SELECT TOP (1) @destination_id = destination_id
    FROM [readpast].destination
    WHERE kind IN (N'Q', N'TQ', N'S') AND name = @queue AND name_bytes = DATALENGTH(@queue)
    ORDER BY CASE kind WHEN N'Q' THEN 1 WHEN N'TQ' THEN 2 ELSE 3 END;
    IF @destination_id IS NULL
        THROW 50010, N'There is no queue or subscription of the name in @queue.', 1;
END
GO

-- Notes the keys of the messages that meet conditions in its caller's #matching, up to @limit of each table; due_at is null for those of
-- [readpast].message.
-- Index: message_key and delayed_message_destination, the stretch of one destination.
-- Locks: S for a moment, which a consumer's claim does not mind; rows that others have written are stepped over.
ALTER PROCEDURE [readpast].find_matching
    @dead_letters        bit,  -- those only that can go back where they came from
    @queue               nvarchar(401),
    @jms_message_id      nvarchar(256),
    @correlation_id      nvarchar(256),
    @type                nvarchar(256),
    @property            nvarchar(4000),
    @property_value      nvarchar(max),
    @sent_before         datetime2(3),
    @sent_after          datetime2(3),
    @minimum_deliveries  int,
    @origin              nvarchar(401),
    @state               nvarchar(10),
    @limit               bigint
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @destination_id int, @before_millis bigint, @after_millis bigint;
    EXECUTE [readpast].find_source @queue, @destination_id OUTPUT;
    SET @before_millis = DATEDIFF_BIG(millisecond, '1970-01-01', @sent_before);
    SET @after_millis = DATEDIFF_BIG(millisecond, '1970-01-01', @sent_after);

    IF @state IS NULL OR @state IN (N'waiting', N'expired')
        INSERT INTO #matching (destination_id, priority_order, message_id)
        SELECT TOP (@limit) m.destination_id, m.priority_order, m.message_id
        FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id)))
        WHERE m.destination_id = @destination_id
          AND (@state IS NULL
               OR (@state = N'waiting' AND (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME()))
               OR (@state = N'expired' AND m.expires_at <= SYSUTCDATETIME()))
          AND (@jms_message_id IS NULL OR m.jms_message_id = @jms_message_id COLLATE Latin1_General_100_BIN2)
          AND (@correlation_id IS NULL
               OR (m.correlation_id = @correlation_id AND DATALENGTH(m.correlation_id) = DATALENGTH(@correlation_id)))
          AND (@type IS NULL
               OR (m.jms_type = @type COLLATE Latin1_General_100_BIN2 AND DATALENGTH(m.jms_type) = DATALENGTH(@type)))
          AND (@property IS NULL OR EXISTS (
              SELECT 1 FROM OPENJSON(CASE WHEN ISJSON(m.properties) = 1 THEN m.properties END) AS p
              WHERE p.[key] = @property COLLATE Latin1_General_100_BIN2 AND DATALENGTH(p.[key]) = DATALENGTH(@property)
                AND (@property_value IS NULL
                     OR (p.value = @property_value COLLATE Latin1_General_100_BIN2
                         AND DATALENGTH(p.value) = DATALENGTH(@property_value)))))
          AND (@before_millis IS NULL OR m.jms_timestamp < @before_millis)
          AND (@after_millis IS NULL OR m.jms_timestamp > @after_millis)
          AND (@minimum_deliveries IS NULL OR m.delivery_count >= @minimum_deliveries)
          AND (@origin IS NULL OR m.origin_id IN (
              SELECT d.destination_id FROM [readpast].destination d
              WHERE d.kind IN (N'Q', N'TQ', N'S') AND d.name = @origin AND d.name_bytes = DATALENGTH(@origin)))
          AND (@dead_letters = 0 OR EXISTS (
              SELECT 1 FROM [readpast].destination d WHERE d.destination_id = m.origin_id AND d.kind IN (N'Q', N'TQ', N'S')
                AND COALESCE(d.moved, N'here') = N'here'))
        ORDER BY m.destination_id, m.priority_order, m.message_id;
    IF @state IS NULL OR @state NOT IN (N'waiting', N'expired')
        INSERT INTO #matching (due_at, destination_id, priority_order, message_id)
        SELECT TOP (@limit) m.due_at, m.destination_id, m.priority_order, m.message_id
        FROM [readpast].delayed_message AS m
            WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (delayed_message_destination (destination_id)))
        WHERE m.destination_id = @destination_id
          AND CASE WHEN m.held_at IS NOT NULL THEN N'held' WHEN m.claim_token IS NOT NULL THEN N'claimed' ELSE N'delayed' END
              = COALESCE(@state, N'delayed')
          AND (@jms_message_id IS NULL OR m.jms_message_id = @jms_message_id COLLATE Latin1_General_100_BIN2)
          AND (@correlation_id IS NULL
               OR (m.correlation_id = @correlation_id AND DATALENGTH(m.correlation_id) = DATALENGTH(@correlation_id)))
          AND (@type IS NULL
               OR (m.jms_type = @type COLLATE Latin1_General_100_BIN2 AND DATALENGTH(m.jms_type) = DATALENGTH(@type)))
          AND (@property IS NULL OR EXISTS (
              SELECT 1 FROM OPENJSON(CASE WHEN ISJSON(m.properties) = 1 THEN m.properties END) AS p
              WHERE p.[key] = @property COLLATE Latin1_General_100_BIN2 AND DATALENGTH(p.[key]) = DATALENGTH(@property)
                AND (@property_value IS NULL
                     OR (p.value = @property_value COLLATE Latin1_General_100_BIN2
                         AND DATALENGTH(p.value) = DATALENGTH(@property_value)))))
          AND (@before_millis IS NULL OR m.jms_timestamp < @before_millis)
          AND (@after_millis IS NULL OR m.jms_timestamp > @after_millis)
          AND (@minimum_deliveries IS NULL OR m.delivery_count >= @minimum_deliveries)
          AND (@origin IS NULL OR m.origin_id IN (
              SELECT d.destination_id FROM [readpast].destination d
              WHERE d.kind IN (N'Q', N'TQ', N'S') AND d.name = @origin AND d.name_bytes = DATALENGTH(@origin)))
          AND (@dead_letters = 0 OR EXISTS (
              SELECT 1 FROM [readpast].destination d WHERE d.destination_id = m.origin_id AND d.kind IN (N'Q', N'TQ', N'S')
                AND COALESCE(d.moved, N'here') = N'here'))
        ORDER BY m.destination_id, m.due_at, m.message_id;
END
GO

-- Notes in its caller's #matching those of the messages with these keys that are still as they were when somebody chose them.
-- Index: message_key and delayed_message_key, one seek for each key.
-- Locks: S for a moment, which a consumer's claim does not mind; rows that others have written are stepped over.
ALTER PROCEDURE [readpast].find_chosen
    @dead_letters  bit,  -- those only that can go back where they came from
    @queue         nvarchar(401),
    @state         nvarchar(10),
    @keys          nvarchar(max)
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @destination_id int;
    EXECUTE [readpast].find_source @queue, @destination_id OUTPUT;

    INSERT INTO #matching (destination_id, priority_order, message_id)
    SELECT m.destination_id, m.priority_order, m.message_id
    FROM OPENJSON(@keys) WITH (p smallint '$.p', i bigint '$.i', c int '$.c', t bigint '$.t', u datetime2(3) '$.u') AS k
    INNER LOOP JOIN [readpast].message AS m
        WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
        ON m.destination_id = @destination_id AND m.priority_order = k.p AND m.message_id = k.i
    WHERE k.u IS NULL
      AND m.delivery_count = k.c
      AND (k.t IS NULL OR m.jms_timestamp = k.t)
      AND (@state IS NULL
           OR (@state = N'waiting' AND (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME()))
           OR (@state = N'expired' AND m.expires_at <= SYSUTCDATETIME()))
      AND (@dead_letters = 0 OR EXISTS (
          SELECT 1 FROM [readpast].destination d WHERE d.destination_id = m.origin_id AND d.kind IN (N'Q', N'TQ', N'S')
                AND COALESCE(d.moved, N'here') = N'here'))
    ORDER BY m.destination_id, m.priority_order, m.message_id;

    INSERT INTO #matching (due_at, destination_id, priority_order, message_id)
    SELECT m.due_at, m.destination_id, m.priority_order, m.message_id
    FROM OPENJSON(@keys) WITH (i bigint '$.i', c int '$.c', t bigint '$.t', u datetime2(3) '$.u') AS k
    INNER LOOP JOIN [readpast].delayed_message AS m
        WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
        ON m.due_at = k.u AND m.message_id = k.i
    WHERE m.destination_id = @destination_id
      AND m.delivery_count = k.c
      AND (k.t IS NULL OR m.jms_timestamp = k.t)
      AND CASE WHEN m.held_at IS NOT NULL THEN N'held' WHEN m.claim_token IS NOT NULL THEN N'claimed' ELSE N'delayed' END
          = COALESCE(@state, N'delayed')
      AND (@dead_letters = 0 OR EXISTS (
          SELECT 1 FROM [readpast].destination d WHERE d.destination_id = m.origin_id AND d.kind IN (N'Q', N'TQ', N'S')
                AND COALESCE(d.moved, N'here') = N'here'))
    ORDER BY m.destination_id, m.due_at, m.message_id;
END
GO

-- Moves those of #matching with these numbers to another queue. All are among the delayed ones first, due now: where they come back to a
-- queue their old keys may be locked (see move_due).
-- Locks: X on the rows; rows that others hold are stepped over.
ALTER PROCEDURE [readpast].move_batch
    @first      int,
    @last       int,
    @target_id  int
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @done int, @due int;
    DECLARE @now datetime2(3), @target nvarchar(450);
    SET @now = SYSUTCDATETIME();
    SELECT @target = N'queue://' + name FROM [readpast].destination WHERE destination_id = @target_id;
    DELETE m
    OUTPUT
        @now, @target_id, deleted.priority_order, deleted.message_id,
        deleted.jms_message_id, @target, deleted.reply_to, deleted.correlation_id, deleted.jms_type,
        deleted.delivery_mode, deleted.jms_timestamp, deleted.jms_expiration, deleted.jms_delivery_time, deleted.group_id,
        deleted.properties, deleted.body_kind, deleted.body_format, deleted.body_length, deleted.body, deleted.body_id,
        @now, deleted.expires_at, deleted.origin_id
    INTO [readpast].delayed_message (
        due_at, destination_id, priority_order, message_id,
        jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
        jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
        origin_id)
    FROM #matching AS k
    INNER LOOP JOIN [readpast].message AS m
        WITH (READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
        ON m.destination_id = k.destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
    WHERE k.number BETWEEN @first AND @last AND k.due_at IS NULL;
    SET @done = @@ROWCOUNT;
    UPDATE m
    SET destination_id = @target_id,
        jms_destination = @target,
        enqueued_at = @now,
        delivery_count = 0,
        due_at = CASE WHEN m.claim_token IS NULL THEN m.due_at ELSE @now END,
        claim_token = NULL,
        worker = NULL,
        claimed_at = NULL
    FROM #matching AS k
    INNER LOOP JOIN [readpast].delayed_message AS m
        WITH (READPAST, ROWLOCK, FORCESEEK, INDEX (delayed_message_key))
        ON m.due_at = k.due_at AND m.message_id = k.message_id
    WHERE k.number BETWEEN @first AND @last AND k.due_at IS NOT NULL;
    SET @done = @done + @@ROWCOUNT;
    EXECUTE [readpast].check_not_moved @target_id;  -- behind the statements, as a queue may have begun to leave meanwhile
    SET @due = @done + 1000;  -- beside those that are due for longer, and may be held up
    EXECUTE [readpast].move_due @target_id, @due;
    RETURN @done;
END
GO

-- Puts a copy of those of #matching with these numbers into another queue, one by one: so the copies' ids are in the order of the messages,
-- which one statement for all would promise with NEXT VALUE FOR ... OVER only.
-- Locks: U on the rows, so that a shared body is not without a message before its copy is there; rows that others hold are stepped over.
ALTER PROCEDURE [readpast].copy_batch
    @first      int,
    @last       int,
    @target_id  int
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @done int;
    DECLARE @now datetime2(3), @target nvarchar(450);
    SET @now = SYSUTCDATETIME();
    SELECT @target = N'queue://' + name FROM [readpast].destination WHERE destination_id = @target_id;
    SET @done = 0;
    WHILE @first <= @last
    BEGIN
        INSERT INTO [readpast].message (
            destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
            jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
            origin_id)
        SELECT
            @target_id, m.priority_order, N'ID:' + LOWER(CAST(NEWID() AS nvarchar(36))), @target, m.reply_to, m.correlation_id, m.jms_type, m.delivery_mode,
            m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id, m.properties, m.body_kind, m.body_format, m.body_length,
            m.body, m.body_id, @now, m.expires_at, m.origin_id
        FROM #matching AS k
        INNER LOOP JOIN [readpast].message AS m
            WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
            ON m.destination_id = k.destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
        WHERE k.number = @first AND k.due_at IS NULL;
        SET @done = @done + @@ROWCOUNT;
        INSERT INTO [readpast].delayed_message (
            due_at, held_at, held_due_at, destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
            jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
            origin_id)
        SELECT
            CASE WHEN m.claim_token IS NULL THEN m.due_at ELSE @now END, m.held_at, m.held_due_at, @target_id, m.priority_order,
            N'ID:' + LOWER(CAST(NEWID() AS nvarchar(36))), @target, m.reply_to, m.correlation_id, m.jms_type, m.delivery_mode,
            m.jms_timestamp, m.jms_expiration, m.jms_delivery_time, m.group_id, m.properties, m.body_kind, m.body_format, m.body_length,
            m.body, m.body_id, @now, m.expires_at, m.origin_id
        FROM #matching AS k
        INNER LOOP JOIN [readpast].delayed_message AS m
            WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
            ON m.due_at = k.due_at AND m.message_id = k.message_id
        WHERE k.number = @first AND k.due_at IS NOT NULL;
        SET @done = @done + @@ROWCOUNT;
        SET @first = @first + 1;
    END;
    EXECUTE [readpast].check_not_moved @target_id;  -- behind the statements, as a queue may have begun to leave meanwhile
    EXECUTE [readpast].move_due @target_id, @done;
    RETURN @done;
END
GO

-- Sends those of #matching with these numbers back to where they came from, unless that is gone meanwhile. All are among the delayed ones
-- first, due now: their old keys may be locked (see move_due).
-- Locks: X on the rows; rows that others hold are stepped over.
ALTER PROCEDURE [readpast].retry_batch
    @first  int,
    @last   int
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @done int, @due int;
    DECLARE @now datetime2(3), @origin_id int;
    DECLARE @origins TABLE (origin_id int NOT NULL);
    SET @now = SYSUTCDATETIME();
    DELETE m
    OUTPUT
        @now, deleted.destination_id, deleted.priority_order, deleted.message_id,
        deleted.jms_message_id, deleted.jms_destination, deleted.reply_to, deleted.correlation_id, deleted.jms_type,
        deleted.delivery_mode, deleted.jms_timestamp, deleted.jms_expiration, deleted.jms_delivery_time, deleted.group_id,
        deleted.properties, deleted.body_kind, deleted.body_format, deleted.body_length, deleted.body, deleted.body_id,
        deleted.enqueued_at, deleted.expires_at, deleted.origin_id, deleted.delivery_count
    INTO [readpast].delayed_message (
        due_at, destination_id, priority_order, message_id,
        jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
        jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
        origin_id, delivery_count)
    FROM #matching AS k
    INNER LOOP JOIN [readpast].message AS m
        WITH (READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
        ON m.destination_id = k.destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
    WHERE k.number BETWEEN @first AND @last AND k.due_at IS NULL
      AND EXISTS (
          SELECT 1 FROM [readpast].destination d WHERE d.destination_id = m.origin_id AND d.kind IN (N'Q', N'TQ', N'S')
            AND COALESCE(d.moved, N'here') = N'here');
    UPDATE #matching SET due_at = @now WHERE number BETWEEN @first AND @last AND due_at IS NULL;
    UPDATE m
    SET destination_id = m.origin_id,
        jms_destination = [readpast].original_destination(m.properties, m.origin_id),
        properties = [readpast].without_dead_letter_notes(m.properties),
        origin_id = NULL,
        enqueued_at = @now,
        delivery_count = 0,
        due_at = CASE WHEN m.claim_token IS NULL THEN m.due_at ELSE @now END,
        claim_token = NULL,
        worker = NULL,
        claimed_at = NULL
    OUTPUT inserted.destination_id INTO @origins (origin_id)
    FROM #matching AS k
    INNER LOOP JOIN [readpast].delayed_message AS m
        WITH (READPAST, ROWLOCK, FORCESEEK, INDEX (delayed_message_key))
        ON m.due_at = k.due_at AND m.message_id = k.message_id
    WHERE k.number BETWEEN @first AND @last
      AND EXISTS (
          SELECT 1 FROM [readpast].destination d WHERE d.destination_id = m.origin_id AND d.kind IN (N'Q', N'TQ', N'S')
            AND COALESCE(d.moved, N'here') = N'here');
    SET @done = @@ROWCOUNT;
    SET @due = @done + 1000;  -- beside those that are due for longer, and may be held up
    WHILE EXISTS (SELECT 1 FROM @origins)
    BEGIN
        SELECT TOP (1) @origin_id = origin_id FROM @origins;
        EXECUTE [readpast].check_not_moved @origin_id;  -- behind the statements, as a queue may have begun to leave meanwhile
        EXECUTE [readpast].move_due @origin_id, @due;
        DELETE FROM @origins WHERE origin_id = @origin_id;
    END;
    RETURN @done;
END
GO

-- Lets those of #matching with these numbers expire.
-- Locks: X on the rows; rows that others hold are stepped over.
ALTER PROCEDURE [readpast].expire_batch
    @first  int,
    @last   int
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @done int;
    DECLARE @now datetime2(3), @destination_id int;
    SET @now = SYSUTCDATETIME();
    UPDATE m
    SET expires_at = @now
    FROM #matching AS k
    INNER LOOP JOIN [readpast].message AS m
        WITH (READPAST, ROWLOCK, FORCESEEK, INDEX (message_key))
        ON m.destination_id = k.destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
    WHERE k.number BETWEEN @first AND @last AND k.due_at IS NULL;
    SET @done = @@ROWCOUNT;
    UPDATE m
    SET expires_at = @now,
        due_at = @now,
        claim_token = NULL,
        worker = NULL,
        claimed_at = NULL,
        held_at = NULL,
        held_due_at = NULL
    FROM #matching AS k
    INNER LOOP JOIN [readpast].delayed_message AS m
        WITH (READPAST, ROWLOCK, FORCESEEK, INDEX (delayed_message_key))
        ON m.due_at = k.due_at AND m.message_id = k.message_id
    WHERE k.number BETWEEN @first AND @last AND k.due_at IS NOT NULL;
    SET @done = @done + @@ROWCOUNT;
    SELECT @destination_id = destination_id FROM #matching WHERE number = @first;
    EXECUTE [readpast].move_due @destination_id, @done;
    RETURN @done;
END
GO

-- Deletes those of #matching with these numbers, which are all of one queue; in the history of one that keeps it they are purged.
-- Locks: X on the rows; rows that others hold are stepped over.
ALTER PROCEDURE [readpast].purge_batch
    @first  int,
    @last   int
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @done int, @history smallint;
    SELECT @history = d.history
    FROM #matching AS k
    JOIN [readpast].destination AS d ON d.destination_id = k.destination_id
    WHERE k.number = @first;
    IF @history = 1
    BEGIN
        DELETE m
        OUTPUT
            SYSUTCDATETIME(), deleted.destination_id, deleted.message_id, deleted.priority_order, deleted.jms_message_id,
            deleted.correlation_id, deleted.jms_type, deleted.reply_to, deleted.group_id, deleted.properties, deleted.body_kind,
            deleted.body_format, deleted.body_length, deleted.body, deleted.delivery_count, deleted.enqueued_at, SUSER_SNAME(), N'purged'
        INTO [readpast].message_history (
            completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, consumer, outcome)
        FROM #matching AS k
        INNER LOOP JOIN [readpast].message AS m
            WITH (READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
            ON m.destination_id = k.destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
        WHERE k.number BETWEEN @first AND @last AND k.due_at IS NULL;
        SET @done = @@ROWCOUNT;
        DELETE m
        OUTPUT
            SYSUTCDATETIME(), deleted.destination_id, deleted.message_id, deleted.priority_order, deleted.jms_message_id,
            deleted.correlation_id, deleted.jms_type, deleted.reply_to, deleted.group_id, deleted.properties, deleted.body_kind,
            deleted.body_format, deleted.body_length, deleted.body, deleted.delivery_count, deleted.enqueued_at, SUSER_SNAME(), N'purged'
        INTO [readpast].message_history (
            completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, consumer, outcome)
        FROM #matching AS k
        INNER LOOP JOIN [readpast].delayed_message AS m
            WITH (READPAST, ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
            ON m.due_at = k.due_at AND m.message_id = k.message_id
        WHERE k.number BETWEEN @first AND @last AND k.due_at IS NOT NULL;
        RETURN @done + @@ROWCOUNT;
    END;
    DELETE m
    FROM #matching AS k
    INNER LOOP JOIN [readpast].message AS m
        WITH (READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
        ON m.destination_id = k.destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
    WHERE k.number BETWEEN @first AND @last AND k.due_at IS NULL;
    SET @done = @@ROWCOUNT;
    DELETE m
    FROM #matching AS k
    INNER LOOP JOIN [readpast].delayed_message AS m
        WITH (READPAST, ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
        ON m.due_at = k.due_at AND m.message_id = k.message_id
    WHERE k.number BETWEEN @first AND @last AND k.due_at IS NOT NULL;
    SET @done = @done + @@ROWCOUNT;
    RETURN @done;
END
GO

-- Holds those of #matching with these numbers.
-- Locks: X on the rows; rows that others hold are stepped over.
ALTER PROCEDURE [readpast].hold_batch
    @first  int,
    @last   int
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @done int;
    DECLARE @now datetime2(3), @far datetime2(3);
    SET @now = SYSUTCDATETIME();
    SET @far = '9999-12-31';
    DELETE m
    OUTPUT
        @far, @now, deleted.destination_id, deleted.priority_order, deleted.message_id,
        deleted.jms_message_id, deleted.jms_destination, deleted.reply_to, deleted.correlation_id, deleted.jms_type,
        deleted.delivery_mode, deleted.jms_timestamp, deleted.jms_expiration, deleted.jms_delivery_time, deleted.group_id,
        deleted.properties, deleted.body_kind, deleted.body_format, deleted.body_length, deleted.body, deleted.body_id,
        deleted.enqueued_at, deleted.expires_at, deleted.origin_id, deleted.delivery_count
    INTO [readpast].delayed_message (
        due_at, held_at, destination_id, priority_order, message_id,
        jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
        jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
        origin_id, delivery_count)
    FROM #matching AS k
    INNER LOOP JOIN [readpast].message AS m
        WITH (READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
        ON m.destination_id = k.destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id
    WHERE k.number BETWEEN @first AND @last AND k.due_at IS NULL;
    SET @done = @@ROWCOUNT;
    UPDATE m
    SET due_at = @far,
        held_at = @now,
        held_due_at = CASE WHEN m.claim_token IS NULL THEN m.due_at END,
        claim_token = NULL,
        worker = NULL,
        claimed_at = NULL
    FROM #matching AS k
    INNER LOOP JOIN [readpast].delayed_message AS m
        WITH (READPAST, ROWLOCK, FORCESEEK, INDEX (delayed_message_key))
        ON m.due_at = k.due_at AND m.message_id = k.message_id
    WHERE k.number BETWEEN @first AND @last AND k.due_at IS NOT NULL;
    SET @done = @done + @@ROWCOUNT;
    RETURN @done;
END
GO

-- Gives those of #matching with these numbers, which are held, back. What was due meanwhile is due now: its old key may be locked (see
-- move_due).
-- Locks: X on the rows; rows that others hold are stepped over.
ALTER PROCEDURE [readpast].release_batch
    @first  int,
    @last   int
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @done int;
    DECLARE @now datetime2(3), @destination_id int;
    SET @now = SYSUTCDATETIME();
    UPDATE m
    SET due_at = CASE WHEN m.held_due_at > @now THEN m.held_due_at ELSE @now END,
        held_at = NULL,
        held_due_at = NULL
    FROM #matching AS k
    INNER LOOP JOIN [readpast].delayed_message AS m
        WITH (READPAST, ROWLOCK, FORCESEEK, INDEX (delayed_message_key))
        ON m.due_at = k.due_at AND m.message_id = k.message_id
    WHERE k.number BETWEEN @first AND @last AND k.due_at IS NOT NULL;
    SET @done = @@ROWCOUNT;
    SELECT @destination_id = destination_id FROM #matching WHERE number = @first;
    EXECUTE [readpast].move_due @destination_id, @done;
    RETURN @done;
END
GO

-- What the seven procedures have in common: notes the messages, and does them a batch at a time, in a transaction each unless the
-- caller has one.
ALTER PROCEDURE [readpast].repair
    @action              nvarchar(10),
    @target_id           int,
    @dead_letters        bit,
    @queue               nvarchar(401),
    @jms_message_id      nvarchar(256),
    @correlation_id      nvarchar(256),
    @type                nvarchar(256),
    @property            nvarchar(4000),
    @property_value      nvarchar(max),
    @sent_before         datetime2(3),
    @sent_after          datetime2(3),
    @minimum_deliveries  int,
    @origin              nvarchar(401),
    @state               nvarchar(10),
    @most                int,
    @batch               int,
    @keys                nvarchar(max),
    @claimed_user        nvarchar(128)
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    IF @state NOT IN (N'waiting', N'expired', N'delayed', N'claimed', N'held')
        THROW 50010, N'@state is waiting, expired, delayed, claimed or held.', 1;
    IF @most < 1
        THROW 50010, N'@most is 1 or more, or null for all.', 1;
    IF @batch IS NULL OR @batch NOT BETWEEN 1 AND 10000
        THROW 50010, N'@batch is 1 to 10000.', 1;
    IF @property_value IS NOT NULL AND @property IS NULL
        THROW 50010, N'@property_value needs a @property.', 1;
    IF @keys IS NOT NULL
       AND (@jms_message_id IS NOT NULL OR @correlation_id IS NOT NULL OR @type IS NOT NULL OR @property IS NOT NULL
            OR @sent_before IS NOT NULL OR @sent_after IS NOT NULL OR @minimum_deliveries IS NOT NULL OR @origin IS NOT NULL)
        THROW 50010, N'With @keys there are no conditions but @state.', 1;
    DECLARE @own bit, @stay bit, @first int, @last int, @end int, @done int, @total int, @limit bigint, @target nvarchar(400);
    SELECT @target = name FROM [readpast].destination WHERE destination_id = @target_id;
    SET @own = CASE WHEN @@TRANCOUNT = 0 AND @@OPTIONS & 2 = 0 THEN 1 ELSE 0 END;
    CREATE TABLE #matching (
        number          int           NOT NULL IDENTITY(1, 1) PRIMARY KEY,
        due_at          datetime2(3) NULL,
        destination_id  int           NOT NULL,
        priority_order  smallint      NOT NULL,
        message_id      bigint        NOT NULL);
    -- Consumers may have some of the first in their hands, which are stepped over: some more are noted than are asked for, many more only where
    -- these were too few, and all where those were. Not where those that are done match still: noted again they would be done twice.
    SET @stay = CASE WHEN @action = N'copy' OR (@action = N'expire' AND @state IS NULL) THEN 1 ELSE 0 END;
    SET @limit = CASE WHEN @most IS NULL THEN 2147483647
                      WHEN @stay = 1 OR @most > 9900 THEN CAST(@most AS bigint) + 10000
                      ELSE CAST(@most AS bigint) * 2 + 100 END;
    SET @end = 0;
    SET @total = 0;
    WHILE @limit IS NOT NULL
    BEGIN
        SET @first = @end + 1;
        IF @keys IS NULL
            EXECUTE [readpast].find_matching
                @dead_letters, @queue, @jms_message_id, @correlation_id, @type, @property, @property_value, @sent_before, @sent_after,
                @minimum_deliveries, @origin, @state, @limit;
        ELSE
            EXECUTE [readpast].find_chosen @dead_letters, @queue, @state, @keys;
        SELECT @end = COALESCE(MAX(number), 0) FROM #matching;
        WHILE @first <= @end AND (@most IS NULL OR @total < @most)
        BEGIN
            SET @last = @first - 1 + CASE WHEN @most - @total < @batch THEN @most - @total ELSE @batch END;
            IF @own = 1
                BEGIN TRANSACTION;
            IF @action = N'move'
                EXECUTE @done = [readpast].move_batch @first, @last, @target_id;
            ELSE IF @action = N'copy'
                EXECUTE @done = [readpast].copy_batch @first, @last, @target_id;
            ELSE IF @action = N'retry'
                EXECUTE @done = [readpast].retry_batch @first, @last;
            ELSE IF @action = N'expire'
                EXECUTE @done = [readpast].expire_batch @first, @last;
            ELSE IF @action = N'purge'
                EXECUTE @done = [readpast].purge_batch @first, @last;
            ELSE IF @action = N'hold'
                EXECUTE @done = [readpast].hold_batch @first, @last;
            ELSE
                EXECUTE @done = [readpast].release_batch @first, @last;
            IF @done > 0
                INSERT INTO [readpast].audit (login, claimed_user, action, queue, target, messages)
                VALUES (ORIGINAL_LOGIN(), @claimed_user, @action, @queue, @target, @done);
            IF @own = 1
                COMMIT TRANSACTION;
            SET @total = @total + @done;
            SET @first = @last + 1;
        END;
        SET @limit = CASE WHEN @total < @most AND @end >= @limit AND @stay = 0
                          THEN CASE WHEN @limit < CAST(@most AS bigint) + 10000 THEN CAST(@most AS bigint) + 10000
                                    ELSE 2147483647 END END;
    END;
    RETURN @total;
END
GO

-- Moves messages to another queue, where they count as new: available at once or when they are due, held where they were held,
-- delivery_count 0. They keep their message_id, and so their place by age; their expiry; and, where they are dead letters, what
-- lets them be sent back. @target: a queue that exists.
ALTER PROCEDURE [readpast].move
    @queue               nvarchar(401),
    @target              nvarchar(401),
    @jms_message_id      nvarchar(256)   = NULL,
    @correlation_id      nvarchar(256)   = NULL,
    @type                nvarchar(256)   = NULL,
    @property            nvarchar(4000)  = NULL,
    @property_value      nvarchar(max)   = NULL,
    @sent_before         datetime2(3)    = NULL,
    @sent_after          datetime2(3)    = NULL,
    @minimum_deliveries  int             = NULL,
    @origin              nvarchar(401)   = NULL,
    @state               nvarchar(10)    = NULL,
    @most                int             = NULL,
    @batch               int             = 1000,
    @keys                nvarchar(max)   = NULL,
    @claimed_user        nvarchar(128)   = NULL
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @done int;
    DECLARE @target_id int;
    EXECUTE [readpast].find_queue @target, 0, @target_id OUTPUT;
    IF @target_id IS NULL
        THROW 50010, N'There is no queue of the name in @target; create_queue makes one.', 1;
    EXECUTE [readpast].check_not_moved @target_id;
    IF EXISTS (SELECT 1 FROM [readpast].destination
               WHERE destination_id = @target_id AND name = @queue AND name_bytes = DATALENGTH(@queue))
        THROW 50010, N'The messages are in the queue of @target already.', 1;
    EXECUTE @done = [readpast].repair
        N'move', @target_id, 0, @queue, @jms_message_id, @correlation_id, @type, @property, @property_value,
        @sent_before, @sent_after, @minimum_deliveries, @origin, @state, @most, @batch, @keys, @claimed_user;
    RETURN @done;
END
GO

-- Puts a copy of messages into another queue, which is a new message: with a JMSMessageID and a message_id of its own, available at once or
-- when the message is due, held where it is held, delivery_count 0. It has the expiry of the message, and of a dead letter what lets
-- it be sent back; a shared body stays shared. Called again it makes further copies. @target: a queue that exists.
ALTER PROCEDURE [readpast].copy
    @queue               nvarchar(401),
    @target              nvarchar(401),
    @jms_message_id      nvarchar(256)   = NULL,
    @correlation_id      nvarchar(256)   = NULL,
    @type                nvarchar(256)   = NULL,
    @property            nvarchar(4000)  = NULL,
    @property_value      nvarchar(max)   = NULL,
    @sent_before         datetime2(3)    = NULL,
    @sent_after          datetime2(3)    = NULL,
    @minimum_deliveries  int             = NULL,
    @origin              nvarchar(401)   = NULL,
    @state               nvarchar(10)    = NULL,
    @most                int             = NULL,
    @batch               int             = 1000,
    @keys                nvarchar(max)   = NULL,
    @claimed_user        nvarchar(128)   = NULL
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @done int;
    DECLARE @target_id int;
    EXECUTE [readpast].find_queue @target, 0, @target_id OUTPUT;
    IF @target_id IS NULL
        THROW 50010, N'There is no queue of the name in @target; create_queue makes one.', 1;
    EXECUTE [readpast].check_not_moved @target_id;
    IF EXISTS (SELECT 1 FROM [readpast].destination
               WHERE destination_id = @target_id AND name = @queue AND name_bytes = DATALENGTH(@queue))
        THROW 50010, N'@target is another queue than @queue.', 1;
    EXECUTE @done = [readpast].repair
        N'copy', @target_id, 0, @queue, @jms_message_id, @correlation_id, @type, @property, @property_value,
        @sent_before, @sent_after, @minimum_deliveries, @origin, @state, @most, @batch, @keys, @claimed_user;
    RETURN @done;
END
GO

-- Sends dead letters back where they came from, as if they had never been delivered: delivery_count 0, without the properties
-- that say why they are dead letters; they do not expire. Those whose origin is gone or was moved to another database, and messages that are no dead letters,
-- stay.
ALTER PROCEDURE [readpast].retry
    @queue               nvarchar(401),
    @jms_message_id      nvarchar(256)   = NULL,
    @correlation_id      nvarchar(256)   = NULL,
    @type                nvarchar(256)   = NULL,
    @property            nvarchar(4000)  = NULL,
    @property_value      nvarchar(max)   = NULL,
    @sent_before         datetime2(3)    = NULL,
    @sent_after          datetime2(3)    = NULL,
    @minimum_deliveries  int             = NULL,
    @origin              nvarchar(401)   = NULL,
    @state               nvarchar(10)    = NULL,
    @most                int             = NULL,
    @batch               int             = 1000,
    @keys                nvarchar(max)   = NULL,
    @claimed_user        nvarchar(128)   = NULL
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @done int;
    EXECUTE @done = [readpast].repair
        N'retry', NULL, 1, @queue, @jms_message_id, @correlation_id, @type, @property, @property_value,
        @sent_before, @sent_after, @minimum_deliveries, @origin, @state, @most, @batch, @keys, @claimed_user;
    RETURN @done;
END
GO

-- Lets messages expire now, also delayed ones: nobody receives them any more, and the next JMS client that looks for expired
-- messages (each does every five seconds) deletes them or moves them to the expiry destination that it is configured with. Where
-- no JMS client runs: purge with @state = N'expired'.
ALTER PROCEDURE [readpast].expire
    @queue               nvarchar(401),
    @jms_message_id      nvarchar(256)   = NULL,
    @correlation_id      nvarchar(256)   = NULL,
    @type                nvarchar(256)   = NULL,
    @property            nvarchar(4000)  = NULL,
    @property_value      nvarchar(max)   = NULL,
    @sent_before         datetime2(3)    = NULL,
    @sent_after          datetime2(3)    = NULL,
    @minimum_deliveries  int             = NULL,
    @origin              nvarchar(401)   = NULL,
    @state               nvarchar(10)    = NULL,
    @most                int             = NULL,
    @batch               int             = 1000,
    @keys                nvarchar(max)   = NULL,
    @claimed_user        nvarchar(128)   = NULL
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @done int;
    IF @state = N'expired'
        THROW 50010, N'@state is waiting, delayed, claimed or held.', 1;
    EXECUTE @done = [readpast].repair
        N'expire', NULL, 0, @queue, @jms_message_id, @correlation_id, @type, @property, @property_value,
        @sent_before, @sent_after, @minimum_deliveries, @origin, @state, @most, @batch, @keys, @claimed_user;
    RETURN @done;
END
GO

-- Deletes messages for good.
ALTER PROCEDURE [readpast].purge
    @queue               nvarchar(401),
    @jms_message_id      nvarchar(256)   = NULL,
    @correlation_id      nvarchar(256)   = NULL,
    @type                nvarchar(256)   = NULL,
    @property            nvarchar(4000)  = NULL,
    @property_value      nvarchar(max)   = NULL,
    @sent_before         datetime2(3)    = NULL,
    @sent_after          datetime2(3)    = NULL,
    @minimum_deliveries  int             = NULL,
    @origin              nvarchar(401)   = NULL,
    @state               nvarchar(10)    = NULL,
    @most                int             = NULL,
    @batch               int             = 1000,
    @keys                nvarchar(max)   = NULL,
    @claimed_user        nvarchar(128)   = NULL
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @done int;
    EXECUTE @done = [readpast].repair
        N'purge', NULL, 0, @queue, @jms_message_id, @correlation_id, @type, @property, @property_value,
        @sent_before, @sent_after, @minimum_deliveries, @origin, @state, @most, @batch, @keys, @claimed_user;
    RETURN @done;
END
GO

-- Keeps messages away from every consumer until release: they wait among the delayed ones, due in the year 9999.
ALTER PROCEDURE [readpast].hold
    @queue               nvarchar(401),
    @jms_message_id      nvarchar(256)   = NULL,
    @correlation_id      nvarchar(256)   = NULL,
    @type                nvarchar(256)   = NULL,
    @property            nvarchar(4000)  = NULL,
    @property_value      nvarchar(max)   = NULL,
    @sent_before         datetime2(3)    = NULL,
    @sent_after          datetime2(3)    = NULL,
    @minimum_deliveries  int             = NULL,
    @origin              nvarchar(401)   = NULL,
    @state               nvarchar(10)    = NULL,
    @most                int             = NULL,
    @batch               int             = 1000,
    @keys                nvarchar(max)   = NULL,
    @claimed_user        nvarchar(128)   = NULL
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @done int;
    IF @state = N'held'
        THROW 50010, N'@state is waiting, expired, delayed or claimed.', 1;
    EXECUTE @done = [readpast].repair
        N'hold', NULL, 0, @queue, @jms_message_id, @correlation_id, @type, @property, @property_value,
        @sent_before, @sent_after, @minimum_deliveries, @origin, @state, @most, @batch, @keys, @claimed_user;
    RETURN @done;
END
GO

-- Gives held messages back: to their place in the queue, with their message_id and priority, or among the delayed ones where they
-- are not due.
ALTER PROCEDURE [readpast].release
    @queue               nvarchar(401),
    @jms_message_id      nvarchar(256)   = NULL,
    @correlation_id      nvarchar(256)   = NULL,
    @type                nvarchar(256)   = NULL,
    @property            nvarchar(4000)  = NULL,
    @property_value      nvarchar(max)   = NULL,
    @sent_before         datetime2(3)    = NULL,
    @sent_after          datetime2(3)    = NULL,
    @minimum_deliveries  int             = NULL,
    @origin              nvarchar(401)   = NULL,
    @most                int             = NULL,
    @batch               int             = 1000,
    @keys                nvarchar(max)   = NULL,
    @claimed_user        nvarchar(128)   = NULL
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @done int;
    EXECUTE @done = [readpast].repair
        N'release', NULL, 0, @queue, @jms_message_id, @correlation_id, @type, @property, @property_value,
        @sent_before, @sent_after, @minimum_deliveries, @origin, N'held', @most, @batch, @keys, @claimed_user;
    RETURN @done;
END
GO

-- Says that this database is a copy of another moment: it was restored, is a copy, or took over without the last commits. Holds every
-- message that waits, is delayed or is claimed, of all queues and subscriptions, until release; and gives new destinations ids that
-- were never given out, so that what a JMS client remembers is never another queue: 10,000,000 above the last one, and further by the hundredths of
-- seconds, since after an earlier restore of the same backup ids were given out from there too. Called again it holds what has come
-- since, and takes no further ids within five minutes of one that has held something. Where there are none left it says so.
-- For a db_owner: IDENTITY_INSERT needs a right that no role has.
-- Index: message_key and delayed_message_key, all of them.
-- Locks: X on the rows; rows that others hold are stepped over, so that it is called again until it returns 0.
ALTER PROCEDURE [readpast].restored
    @batch         int            = 1000,
    @claimed_user  nvarchar(128)  = NULL
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    IF @batch IS NULL OR @batch NOT BETWEEN 1 AND 10000
        THROW 50010, N'@batch is 1 to 10000.', 1;
    DECLARE @own bit, @first int, @last int, @end int, @done int, @total int, @id bigint, @now datetime2(3);
    SET @own = CASE WHEN @@TRANCOUNT = 0 AND @@OPTIONS & 2 = 0 THEN 1 ELSE 0 END;
    SET @now = SYSUTCDATETIME();
    IF NOT EXISTS (
        SELECT 1 FROM [readpast].audit
        WHERE action = N'restored' AND done_at BETWEEN DATEADD(minute, -5, @now) AND @now)
    BEGIN
        SET @id = IDENT_CURRENT(N'[readpast].destination') + 10000000 + DATEDIFF_BIG(millisecond, '1970-01-01', @now) / 10 % 10000000;
        IF @id < 2147000000
        BEGIN
            -- An id that is inserted by hand is the one that the next ids follow.
            IF @own = 1
                BEGIN TRANSACTION;
            SET IDENTITY_INSERT [readpast].destination ON;
            INSERT INTO [readpast].destination (destination_id, kind, name) VALUES (@id, N'W', N'restored');
            SET IDENTITY_INSERT [readpast].destination OFF;
            DELETE FROM [readpast].destination WHERE destination_id = @id;
            IF @own = 1
                COMMIT TRANSACTION;
        END
        ELSE
            PRINT N'There are no further ids for destinations, and new ones may get those that JMS clients remember: stop all clients first';
    END;
    CREATE TABLE #matching (
        number          int           NOT NULL IDENTITY(1, 1) PRIMARY KEY,
        due_at          datetime2(3) NULL,
        destination_id  int           NOT NULL,
        priority_order  smallint      NOT NULL,
        message_id      bigint        NOT NULL);
    INSERT INTO #matching (due_at, destination_id, priority_order, message_id)
    SELECT m.due_at, m.destination_id, m.priority_order, m.message_id
    FROM [readpast].delayed_message AS m WITH (READPAST, READCOMMITTEDLOCK)
    WHERE m.held_at IS NULL;
    INSERT INTO #matching (destination_id, priority_order, message_id)
    SELECT m.destination_id, m.priority_order, m.message_id
    FROM [readpast].message AS m WITH (READPAST, READCOMMITTEDLOCK);
    SELECT @end = COALESCE(MAX(number), 0) FROM #matching;
    SET @first = 1;
    SET @total = 0;
    WHILE @first <= @end
    BEGIN
        SET @last = @first - 1 + @batch;
        IF @own = 1
            BEGIN TRANSACTION;
        EXECUTE @done = [readpast].hold_batch @first, @last;
        IF @done > 0
            INSERT INTO [readpast].audit (login, claimed_user, action, messages)
            VALUES (ORIGINAL_LOGIN(), @claimed_user, N'restored', @done);
        IF @own = 1
            COMMIT TRANSACTION;
        SET @total = @total + @done;
        SET @first = @last + 1;
    END;
    RETURN @total;
END
GO

-- Recorded where all of it is there: sqlcmd without -b goes on behind an error.
IF NOT EXISTS (SELECT 1 FROM [readpast].schema_version WHERE version = 5)
BEGIN
    IF (SELECT COUNT(*) FROM sys.objects
        WHERE schema_id = SCHEMA_ID(N'readpast') AND type IN ('FN', 'IF', 'P', 'V')
          AND object_id NOT IN (SELECT object_id FROM sys.sql_modules WHERE definition LIKE N'%50013%') AND name IN (
            N'held_message', N'without_dead_letter_notes', N'original_destination', N'find_source', N'find_matching', N'find_chosen', N'move_batch',
            N'copy_batch', N'retry_batch', N'expire_batch', N'purge_batch', N'hold_batch', N'release_batch', N'repair', N'move', N'copy', N'retry',
            N'expire', N'purge', N'hold', N'release', N'restored')) < 22
        THROW 50013, N'005-repair.sql is not complete: mend what the errors above say, and run it again', 1;
    INSERT INTO [readpast].schema_version (version, script) VALUES (5, N'005-repair.sql');
END;
GO
