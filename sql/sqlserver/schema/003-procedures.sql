-- Version 3: the queue for programs in T-SQL, over the tables that the JMS side uses. sql/README.md has examples.
-- May be run again. Errors: 50010 an argument is wrong, or its queue is removed meanwhile, 50011 a claim within a transaction, 50016 the queue is paused, 50017 it was moved
-- to another database.
--
-- The caller needs the right to execute a procedure and none on the tables. SET XACT_ABORT ON: an error undoes the
-- transaction that it happens in, the caller's too. Each procedure that callers may use sets what it relies upon, whatever the caller
-- has; the caller's settings are back when it returns. The tables refuse every change while ANSI_WARNINGS and the like are OFF (1934),
-- which old programs have; a SET ROWCOUNT of the caller's would cut short what is done here; READPAST needs READ COMMITTED.
-- A cancel or a time-out of the client is no error, and ends the call. Where XACT_ABORT is OFF meanwhile, as in move_due and fail, the transaction
-- stays open, fail's own too: whoever gives up a call rolls back, also in autocommit mode.

-- Kept with each procedure and table; filtered indexes and computed columns need them.
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
GO

-- What is there is altered and keeps the rights that were given on it; what is not is made first, and does nothing yet.
IF OBJECT_ID(N'[readpast].text_to_body', N'FN') IS NULL
    EXECUTE (N'CREATE FUNCTION [readpast].text_to_body (@text nvarchar(max)) RETURNS varbinary(max) AS BEGIN RETURN NULL; /* 50013 */ END');
IF OBJECT_ID(N'[readpast].body_to_text', N'FN') IS NULL
    EXECUTE (N'CREATE FUNCTION [readpast].body_to_text (@body varbinary(max), @body_format smallint) RETURNS nvarchar(max) AS BEGIN RETURN NULL; /* 50013 */ END');
IF OBJECT_ID(N'[readpast].time_of', N'FN') IS NULL
    EXECUTE (N'CREATE FUNCTION [readpast].time_of (@millis bigint) RETURNS datetime2(3) AS BEGIN RETURN NULL; /* 50013 */ END');
IF OBJECT_ID(N'[readpast].is_object', N'FN') IS NULL
    EXECUTE (N'CREATE FUNCTION [readpast].is_object (@properties nvarchar(max)) RETURNS bit AS BEGIN RETURN NULL; /* 50013 */ END');
IF OBJECT_ID(N'[readpast].attempt_limit', N'FN') IS NULL
    EXECUTE (N'CREATE FUNCTION [readpast].attempt_limit (@destination_id int) RETURNS int AS BEGIN RETURN NULL; /* 50013 */ END');
IF OBJECT_ID(N'[readpast].find_queue', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].find_queue AS RETURN 50013');
IF OBJECT_ID(N'[readpast].check_not_moved', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].check_not_moved AS RETURN 50013');
IF OBJECT_ID(N'[readpast].create_queue', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].create_queue AS RETURN 50013');
IF OBJECT_ID(N'[readpast].pause', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].pause AS RETURN 50013');
IF OBJECT_ID(N'[readpast].resume', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].resume AS RETURN 50013');
IF OBJECT_ID(N'[readpast].mark_moved', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].mark_moved AS RETURN 50013');
IF OBJECT_ID(N'[readpast].send', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].send AS RETURN 50013');
IF OBJECT_ID(N'[readpast].move_due', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].move_due AS RETURN 50013');
IF OBJECT_ID(N'[readpast].bury', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].bury AS RETURN 50013');
IF OBJECT_ID(N'[readpast].take', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].take AS RETURN 50013');
IF OBJECT_ID(N'[readpast].receive_batch', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].receive_batch AS RETURN 50013');
IF OBJECT_ID(N'[readpast].claim', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].claim AS RETURN 50013');
IF OBJECT_ID(N'[readpast].complete', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].complete AS RETURN 50013');
IF OBJECT_ID(N'[readpast].put_back', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].put_back AS RETURN 50013');
IF OBJECT_ID(N'[readpast].fail', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].fail AS RETURN 50013');
IF OBJECT_ID(N'[readpast].extend', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].extend AS RETURN 50013');
IF OBJECT_ID(N'[readpast].refuse_older_clients', N'P') IS NULL
    EXECUTE (N'CREATE PROCEDURE [readpast].refuse_older_clients AS RETURN 50013');
GO

-- How a text lies in a body: in UTF-16LE, which is what nvarchar is.
ALTER FUNCTION [readpast].text_to_body (@text nvarchar(max)) RETURNS varbinary(max)
AS
BEGIN
    RETURN CAST(@text AS varbinary(max));
END
GO

-- The text in a body; null where its body_format is not that of text.
ALTER FUNCTION [readpast].body_to_text (@body varbinary(max), @body_format smallint) RETURNS nvarchar(max)
AS
BEGIN
    RETURN CASE WHEN @body_format = 3 THEN CAST(@body AS nvarchar(max)) END;
END
GO

-- A time in milliseconds since 1970, which is the sender's and may be any number: null where datetime2 has none for it, before the year 1
-- and after 9999.
ALTER FUNCTION [readpast].time_of (@millis bigint) RETURNS datetime2(3)
AS
BEGIN
    RETURN CASE WHEN @millis BETWEEN -62135596800000 AND 253402300799999
                THEN DATEADD(millisecond, CAST(@millis % 86400000 AS int),
                             DATEADD(day, CAST(@millis / 86400000 AS int), CAST('1970-01-01' AS datetime2(3)))) END;
END
GO

-- Whether properties are what a message can have, a JSON object or nothing: 1 or 0. Rows may be written by others, and the functions
-- of JSON end the statement where a text is none (13609). Within an array each value has a type, 5 for an object, whatever white space
-- is around it.
ALTER FUNCTION [readpast].is_object (@properties nvarchar(max)) RETURNS bit
AS
BEGIN
    IF @properties IS NULL
        RETURN 1;
    IF ISJSON(@properties) = 0
        RETURN 0;
    RETURN CASE WHEN EXISTS (SELECT 1 FROM OPENJSON(N'[' + @properties + N']') WHERE type = 5) THEN 1 ELSE 0 END;
END
GO

-- After how many attempts a message of a queue is a dead letter: its maximum_attempts, 10 without one. Without limit where
-- that is 0, and where dead letters would go to the very queue that they are in.
ALTER FUNCTION [readpast].attempt_limit (@destination_id int) RETURNS int
AS
BEGIN
    RETURN (
        SELECT CASE WHEN COALESCE(maximum_attempts, 10) = 0 OR COALESCE(dead_letter_queue, N'DLQ') = name
                    THEN 2147483647 ELSE COALESCE(maximum_attempts, 10) END
        FROM [readpast].destination
        WHERE destination_id = @destination_id);
END
GO

-- The id of a queue, null where there is none and none is to be created. Compares the length too, since comparisons ignore
-- trailing blanks. LEN does too, and what it counts depends on the collation: here and below on one whose characters are a column's
-- places, where those of a database may be pairs of them (collations with _SC, _140_ or UTF8 in their names).
-- Locks: where it creates the queue, its row and its place in the index up to the next name, until the transaction ends.
ALTER PROCEDURE [readpast].find_queue
    @queue           nvarchar(401),
    @create          bit,
    @destination_id  int OUTPUT
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    SET @destination_id = NULL;
    IF COALESCE(LEN(@queue + N'.' COLLATE Latin1_General_100_BIN2) - 1, 0) NOT BETWEEN 1 AND 400
        THROW 50010, N'The name of a queue has 1 to 400 characters.', 1;
    SELECT @destination_id = destination_id
    FROM [readpast].destination
    WHERE kind = N'Q' AND name = @queue AND name_bytes = DATALENGTH(@queue);
    IF @destination_id IS NOT NULL OR @create = 0
        RETURN;
    IF @queue LIKE N'queue://%' COLLATE Latin1_General_100_BIN2
       OR @queue LIKE N'topic://%' COLLATE Latin1_General_100_BIN2
       OR @queue LIKE N'temp-queue://%' COLLATE Latin1_General_100_BIN2
       OR @queue LIKE N'temp-topic://%' COLLATE Latin1_General_100_BIN2
        THROW 50010, N'The name of a queue does not begin with queue://, topic://, temp-queue:// or temp-topic://; send alone takes queue:// and temp-queue://.', 1;
    INSERT INTO [readpast].destination (kind, name)
    SELECT N'Q', @queue
    WHERE NOT EXISTS (
        SELECT 1 FROM [readpast].destination WITH (UPDLOCK, HOLDLOCK)
        WHERE kind = N'Q' AND name = @queue AND name_bytes = DATALENGTH(@queue));
    SELECT @destination_id = destination_id
    FROM [readpast].destination
    WHERE kind = N'Q' AND name = @queue AND name_bytes = DATALENGTH(@queue);
END
GO

-- Refuses what puts a message into a queue that was moved to another database (50017), or removed meanwhile (50010).
ALTER PROCEDURE [readpast].check_not_moved
    @destination_id  int
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @text nvarchar(2048);
    IF NOT EXISTS (SELECT 1 FROM [readpast].destination WHERE destination_id = @destination_id)
        THROW 50010, N'The queue was removed meanwhile: call again.', 1;
    SELECT @text = N'The queue ' + name + N' was moved to database ''' + moved_database + N''': send to it there.'
    FROM [readpast].destination
    WHERE destination_id = @destination_id AND moved IN (N'away', N'gone');
    IF @text IS NOT NULL
        THROW 50017, @text, 1;
END
GO

-- Creates a queue, unless there is one of this name, and says what becomes of messages whose attempts in [readpast].claim are
-- used up. What is null stays as it is, of a new queue 10 and DLQ; what is changed is in the table audit. send creates a missing queue as
-- well, but holds others that do the same until its transaction ends.
-- Index: destination_name; the end of the key of [readpast].audit.
-- Locks: see find_queue; of a queue that is there, X on its row until the transaction ends, where anything is changed.
ALTER PROCEDURE [readpast].create_queue
    @queue              nvarchar(401),
    @maximum_attempts   int            = NULL,  -- 0: no limit
    @dead_letter_queue  nvarchar(401)  = NULL,
    @claimed_user       nvarchar(128)  = NULL   -- who it is for, as the caller says, for the table audit
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @own bit, @destination_id int, @dead_letter_id int, @changed int;
    IF @maximum_attempts < 0
        THROW 50010, N'@maximum_attempts is 0, for no limit, or more.', 1;
    EXECUTE [readpast].find_queue @queue, 1, @destination_id OUTPUT;
    IF @dead_letter_queue IS NOT NULL
        EXECUTE [readpast].find_queue @dead_letter_queue, 1, @dead_letter_id OUTPUT;
    SET @own = CASE WHEN @@TRANCOUNT = 0 AND @@OPTIONS & 2 = 0 THEN 1 ELSE 0 END;
    IF @own = 1
        BEGIN TRANSACTION;
    UPDATE [readpast].destination
    SET maximum_attempts = COALESCE(@maximum_attempts, maximum_attempts),
        dead_letter_queue = COALESCE(@dead_letter_queue, dead_letter_queue)
    WHERE destination_id = @destination_id
      AND (COALESCE(maximum_attempts, -1) <> @maximum_attempts
        OR COALESCE(DATALENGTH(dead_letter_queue), 0) <> DATALENGTH(@dead_letter_queue)
        OR dead_letter_queue <> @dead_letter_queue);
    SET @changed = @@ROWCOUNT;
    IF @changed = 1
        INSERT INTO [readpast].audit (login, claimed_user, action, queue, target, messages)
        SELECT ORIGINAL_LOGIN(), @claimed_user, N'create', name,
               LEFT(CONCAT(COALESCE(maximum_attempts, 10), N' attempts, then ', COALESCE(dead_letter_queue, N'DLQ')), 400), 0
        FROM [readpast].destination
        WHERE destination_id = @destination_id;
    IF @own = 1
        COMMIT TRANSACTION;
END
GO

-- Holds back what a queue has, or what is sent to it, until [readpast].resume. The procedures keep to it at once: receive_batch and claim find
-- nothing, send is refused (50016). JMS clients learn of it within some seconds, and say so in [readpast].presence.paused_queues. What has been
-- claimed before is finished. Expiry, delays, dead letters and what an administrator does go on.
-- Index: destination_name; the end of the key of [readpast].audit.
-- Locks: X on the queue's row, until the transaction ends.
ALTER PROCEDURE [readpast].pause
    @queue         nvarchar(401),
    @what          nvarchar(8)    = N'receive',  -- receive, send or both
    @claimed_user  nvarchar(128)  = NULL         -- who it is for, as the caller says, for the table audit
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @own bit, @destination_id int;
    IF @what IS NULL OR @what COLLATE Latin1_General_100_BIN2 NOT IN (N'receive', N'send', N'both')
        THROW 50010, N'@what is receive, send or both.', 1;
    SET @what = RTRIM(@what);  -- a blank behind it makes no difference here, and would to JMS clients
    EXECUTE [readpast].find_queue @queue, 0, @destination_id OUTPUT;
    IF @destination_id IS NULL
        THROW 50010, N'There is no queue of the name in @queue.', 1;
    SET @own = CASE WHEN @@TRANCOUNT = 0 AND @@OPTIONS & 2 = 0 THEN 1 ELSE 0 END;
    IF @own = 1
        BEGIN TRANSACTION;
    UPDATE [readpast].destination
    SET paused = @what, paused_at = SYSUTCDATETIME()
    WHERE destination_id = @destination_id;
    INSERT INTO [readpast].audit (login, claimed_user, action, queue, target, messages)
    VALUES (ORIGINAL_LOGIN(), @claimed_user, N'pause', @queue, @what, 0);
    IF @own = 1
        COMMIT TRANSACTION;
END
GO

-- Ends a pause. JMS clients go on within some seconds.
-- Index and locks: see pause.
ALTER PROCEDURE [readpast].resume
    @queue         nvarchar(401),
    @claimed_user  nvarchar(128)  = NULL
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @own bit, @destination_id int, @resumed int;
    EXECUTE [readpast].find_queue @queue, 0, @destination_id OUTPUT;
    IF @destination_id IS NULL
        THROW 50010, N'There is no queue of the name in @queue.', 1;
    SET @own = CASE WHEN @@TRANCOUNT = 0 AND @@OPTIONS & 2 = 0 THEN 1 ELSE 0 END;
    IF @own = 1
        BEGIN TRANSACTION;
    UPDATE [readpast].destination
    SET paused = NULL, paused_at = NULL
    WHERE destination_id = @destination_id AND paused IS NOT NULL;
    SET @resumed = @@ROWCOUNT;
    IF @resumed = 1
        INSERT INTO [readpast].audit (login, claimed_user, action, queue, messages)
        VALUES (ORIGINAL_LOGIN(), @claimed_user, N'resume', @queue, 0);
    IF @own = 1
        COMMIT TRANSACTION;
END
GO

-- Says that a queue leaves this database for another one, or comes to it from there; called again it does nothing. It is a step of
-- readpast move-queue, which says in both databases what has to be said, in its order.
-- Index and locks: see pause.
ALTER PROCEDURE [readpast].mark_moved
    @queue         nvarchar(401),
    @moved         nvarchar(5)    = NULL,  -- away, here; null for neither
    @database      nvarchar(65)   = NULL,  -- what routes call the other one; null for none
    @claimed_user  nvarchar(128)  = NULL   -- who it is for, as the caller says, for the table audit
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @own bit, @destination_id int, @marked int;
    IF @moved COLLATE Latin1_General_100_BIN2 NOT IN (N'away', N'here')
        THROW 50010, N'@moved is away, here or null.', 1;
    SET @moved = RTRIM(@moved);  -- a blank behind it makes no difference here, and would to JMS clients
    EXECUTE [readpast].find_queue @queue, 0, @destination_id OUTPUT;
    IF @destination_id IS NULL
        THROW 50010, N'There is no queue of the name in @queue.', 1;
    SET @own = CASE WHEN @@TRANCOUNT = 0 AND @@OPTIONS & 2 = 0 THEN 1 ELSE 0 END;
    IF @own = 1
        BEGIN TRANSACTION;
    UPDATE [readpast].destination
    SET moved = @moved, moved_database = @database
    WHERE destination_id = @destination_id
      AND (COALESCE(moved, N'') <> COALESCE(@moved, N'') OR COALESCE(moved_database, N'') <> COALESCE(@database, N''));
    SET @marked = @@ROWCOUNT;
    IF @marked = 1
        INSERT INTO [readpast].audit (login, claimed_user, action, queue, target, messages)
        VALUES (ORIGINAL_LOGIN(), @claimed_user, N'move-queue', @queue,
                CASE WHEN @moved IS NULL THEN NULL WHEN @moved = N'away' THEN N'to ' + @database ELSE N'from ' + @database END, 0);
    IF @own = 1
        COMMIT TRANSACTION;
END
GO

-- Puts a message into a queue, within the caller's transaction.
-- Locks: the new row; see find_queue for a queue that is missing.
ALTER PROCEDURE [readpast].send
    @queue                nvarchar(460),           -- the name of a queue, or a reply_to: queue://name, temp-queue://name
    @body                 nvarchar(max)   = NULL,  -- a TextMessage for JMS; without any body one without text
    @properties           nvarchar(max)   = NULL,  -- a JSON object: {"customer":"Ada","count":3}
    @priority             smallint        = 4,     -- 0 to 9, 9 is delivered first
    @delay_millis         bigint          = 0,     -- from now until it may be received
    @time_to_live_millis  bigint          = 0,     -- from now until it expires; 0: never
    @correlation_id       nvarchar(256)   = NULL,
    @type                 nvarchar(256)   = NULL,
    @reply_to             nvarchar(460)   = NULL,  -- the name of a queue, or queue://name, topic://name
    @binary_body          varbinary(max)  = NULL,  -- in place of @body: a BytesMessage for JMS
    @message_id           nvarchar(255)   = NULL OUTPUT  -- its JMSMessageID
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    IF @body IS NOT NULL AND @binary_body IS NOT NULL
        THROW 50010, N'A message has either @body or @binary_body.', 1;
    IF [readpast].is_object(@properties) = 0
        THROW 50010, N'@properties is a JSON object, such as {"customer":"Ada","count":3}.', 1;
    IF EXISTS (SELECT 1 FROM OPENJSON(@properties)
               WHERE [key] = N'JMSXGroupID' COLLATE Latin1_General_100_BIN2 AND LEN(value + N'.' COLLATE Latin1_General_100_BIN2) > 256)
        THROW 50010, N'JMSXGroupID in @properties has up to 255 characters.', 1;
    IF EXISTS (SELECT 1 FROM OPENJSON(@properties)
               WHERE [key] COLLATE Latin1_General_100_BIN2
                   IN (N'JMSMessageID', N'JMSReplyTo', N'JMSCorrelationID', N'JMSType', N'JMSGroupID'))
        THROW 50010, N'JMSMessageID, JMSReplyTo, JMSCorrelationID, JMSType and JMSGroupID are no names for properties.', 1;
    -- What JMS reads has up to 100 objects and arrays within each other. OPENJSON's types 4 and 5 are arrays and objects.
    IF LEN(@properties + N'.' COLLATE Latin1_General_100_BIN2)
        - LEN(REPLACE(REPLACE(@properties, N'{', N''), N'[', N'') + N'.' COLLATE Latin1_General_100_BIN2) > 100
    BEGIN
        DECLARE @nested TABLE (level int NOT NULL, json nvarchar(max) NOT NULL);
        DECLARE @level int = 1;
        INSERT INTO @nested (level, json) VALUES (1, @properties);
        WHILE @level <= 100 AND EXISTS (SELECT 1 FROM @nested WHERE level = @level)
        BEGIN
            INSERT INTO @nested (level, json)
            SELECT @level + 1, inner_json.value
            FROM @nested AS outer_json
            CROSS APPLY OPENJSON(outer_json.json) AS inner_json
            WHERE outer_json.level = @level AND inner_json.type IN (4, 5);
            SET @level = @level + 1;
        END
        IF EXISTS (SELECT 1 FROM @nested WHERE level > 100)
            THROW 50010, N'@properties has more than 100 objects and arrays within each other.', 1;
    END
    IF @priority IS NULL OR @priority NOT BETWEEN 0 AND 9
        THROW 50010, N'@priority is 0 to 9.', 1;
    IF COALESCE(@delay_millis, -1) NOT BETWEEN 0 AND 1576800000000
       OR COALESCE(@time_to_live_millis, -1) NOT BETWEEN 0 AND 1576800000000
        THROW 50010, N'@delay_millis and @time_to_live_millis are 0 to 1576800000000, which is 50 years.', 1;
    IF LEN(@correlation_id + N'.' COLLATE Latin1_General_100_BIN2) > 256
       OR LEN(@type + N'.' COLLATE Latin1_General_100_BIN2) > 256
        THROW 50010, N'@correlation_id and @type have up to 255 characters.', 1;
    IF @reply_to NOT LIKE N'%://%'
        SET @reply_to = N'queue://' + @reply_to;
    IF LEN(@reply_to + N'.' COLLATE Latin1_General_100_BIN2) > 451
        THROW 50010, N'@reply_to has up to 450 characters, its queue:// or topic:// included.', 1;
    IF @reply_to NOT LIKE N'queue://_%' COLLATE Latin1_General_100_BIN2
       AND @reply_to NOT LIKE N'topic://_%' COLLATE Latin1_General_100_BIN2
       AND @reply_to NOT LIKE N'temp-queue://_%' COLLATE Latin1_General_100_BIN2
       AND @reply_to NOT LIKE N'temp-topic://_%' COLLATE Latin1_General_100_BIN2
        THROW 50010, N'@reply_to is the name of a queue, or queue:// or topic:// and a name.', 1;

    DECLARE @destination_id int, @jms_destination nvarchar(460), @now datetime2(3), @millis bigint, @due_at datetime2(3),
            @expires_at datetime2(3);
    IF @queue LIKE N'temp-queue://%' COLLATE Latin1_General_100_BIN2
    BEGIN
        SET @jms_destination = @queue;
        SET @queue = SUBSTRING(@queue, 14, 460);
        SELECT @destination_id = destination_id
        FROM [readpast].destination
        WHERE kind = N'TQ' AND name = @queue AND name_bytes = DATALENGTH(@queue);
        IF @destination_id IS NULL
            THROW 50010, N'The temporary queue in @queue is gone.', 1;
    END
    ELSE
    BEGIN
        IF @queue LIKE N'queue://%' COLLATE Latin1_General_100_BIN2
            SET @queue = SUBSTRING(@queue, 9, 460);
        SET @jms_destination = N'queue://' + @queue;
        EXECUTE [readpast].find_queue @queue, 1, @destination_id OUTPUT;
    END;
    IF EXISTS (SELECT 1 FROM [readpast].destination WHERE destination_id = @destination_id AND paused IN (N'send', N'both'))
        THROW 50016, N'The queue is paused: nothing can be sent to it until somebody calls resume.', 1;
    SET @message_id = N'ID:' + LOWER(CAST(NEWID() AS nvarchar(36)));
    SET @now = SYSUTCDATETIME();
    SET @millis = DATEDIFF_BIG(millisecond, '1970-01-01', @now);
    SET @due_at = DATEADD(millisecond, CAST(@delay_millis % 1000 AS int), DATEADD(second, CAST(@delay_millis / 1000 AS int), @now));
    IF @time_to_live_millis > 0
        SET @expires_at = DATEADD(millisecond, CAST(@time_to_live_millis % 1000 AS int),
                                  DATEADD(second, CAST(@time_to_live_millis / 1000 AS int), @now));
    DECLARE @jms_expiration bigint, @group_id nvarchar(255), @bytes varbinary(max), @body_kind smallint, @body_format smallint;
    SET @jms_expiration = CASE WHEN @time_to_live_millis > 0 THEN @millis + @time_to_live_millis ELSE 0 END;
    SET @group_id = JSON_VALUE(@properties, '$.JMSXGroupID');
    SET @body_kind = CASE WHEN @binary_body IS NULL THEN 1 ELSE 2 END;
    SET @body_format = CASE WHEN @body IS NOT NULL THEN 3 WHEN @binary_body IS NOT NULL THEN 1 ELSE 0 END;
    IF @body IS NULL
        SET @bytes = @binary_body;
    ELSE
        SET @bytes = [readpast].text_to_body(@body);

    DECLARE @sent int;
    -- Within the statement that inserts: in autocommit mode what it has inserted is committed by itself.
    IF @delay_millis = 0
    BEGIN
        INSERT INTO [readpast].message (
            destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode,
            jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body,
            enqueued_at, expires_at)
        SELECT
            d.destination_id, 9 - @priority, @message_id, @jms_destination, @reply_to, @correlation_id, @type, 2,
            @millis, @jms_expiration, @millis, @group_id, @properties, @body_kind, @body_format,
            COALESCE(DATALENGTH(@bytes), 0), @bytes, @now, @expires_at
        FROM [readpast].destination AS d
        WHERE d.destination_id = @destination_id AND COALESCE(d.moved, N'here') = N'here';
        SET @sent = @@ROWCOUNT;
    END
    ELSE
    BEGIN
        INSERT INTO [readpast].delayed_message (
            due_at, destination_id, priority_order, jms_message_id, jms_destination, reply_to, correlation_id, jms_type,
            delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format,
            body_length, body, enqueued_at, expires_at)
        SELECT
            @due_at, d.destination_id, 9 - @priority, @message_id, @jms_destination, @reply_to, @correlation_id, @type,
            2, @millis, @jms_expiration, @millis + @delay_millis, @group_id, @properties, @body_kind, @body_format,
            COALESCE(DATALENGTH(@bytes), 0), @bytes, @now, @expires_at
        FROM [readpast].destination AS d
        WHERE d.destination_id = @destination_id AND COALESCE(d.moved, N'here') = N'here';
        SET @sent = @@ROWCOUNT;
    END
    IF @sent = 0
    BEGIN
        EXECUTE [readpast].check_not_moved @destination_id;
        THROW 50010, N'The queue came back to this database meanwhile: call again.', 1;
    END
END
GO

-- Puts messages that have become due, and those whose lease is over, back into their queues: those of one queue, so that it is done where
-- no JMS client runs, or, as each of these does all the time, those of all, and then returns the queues.
-- Where a message stood in its queue before, its old key may be locked still: a consumer that came too late for it with UPDLOCK has locked
-- the deleted row (its ghost), and holds that lock until its transaction ends. So nothing is waited for for long: after a lock time-out
-- (1222) the messages are moved one by one, and those that cannot be are left until the next time. Where another message has its key
-- (2627), as after a restore of one table and not of the other, it gets a new one.
-- Index: delayed_message_destination for what is due in one queue, delayed_message_key from its start for all; each row is locked by its
-- key, as by everybody else who moves it.
-- Locks: U and then X on the moved rows, and X on the new ones; rows that others hold are stepped over.
ALTER PROCEDURE [readpast].move_due
    @destination_id  int,
    @max             int,
    @all             bit  = 0  -- 1: of all queues
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET XACT_ABORT OFF;  -- or the error that is caught below would have doomed the transaction
    DECLARE @now datetime2(3);  -- of the column's type, which a seek on it needs
    DECLARE @last int, @step int, @from int, @new_id bigint;
    DECLARE @due TABLE (
        n int NOT NULL IDENTITY(1, 1) PRIMARY KEY, due_at datetime2(3) NOT NULL, message_id bigint NOT NULL, destination_id int NOT NULL);
    SET @now = SYSUTCDATETIME();
    IF @all = 1
        INSERT INTO @due (due_at, message_id, destination_id)
        SELECT TOP (@max) due_at, message_id, destination_id
        FROM [readpast].delayed_message WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (delayed_message_key (due_at)))
        WHERE due_at <= @now
        ORDER BY due_at, message_id;
    ELSE
        INSERT INTO @due (due_at, message_id, destination_id)
        SELECT TOP (@max) due_at, message_id, destination_id
        FROM [readpast].delayed_message
            WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK (delayed_message_destination (destination_id, due_at)))
        WHERE destination_id = @destination_id AND due_at <= @now
        ORDER BY due_at, message_id;
    SELECT @last = COALESCE(MAX(n), 0) FROM @due;
    SET @step = @last;
    SET @from = 1;
    SET LOCK_TIMEOUT 500;
    WHILE @from <= @last
    BEGIN
        BEGIN TRY
            DELETE m
            OUTPUT
                deleted.destination_id, deleted.priority_order, deleted.message_id,
                deleted.jms_message_id, deleted.jms_destination, deleted.reply_to, deleted.correlation_id, deleted.jms_type,
                deleted.delivery_mode, deleted.jms_timestamp, deleted.jms_expiration, deleted.jms_delivery_time, deleted.group_id,
                deleted.properties, deleted.body_kind, deleted.body_format, deleted.body_length, deleted.body, deleted.body_id, deleted.enqueued_at,
                deleted.expires_at, deleted.origin_id, deleted.delivery_count
            INTO [readpast].message (
                destination_id, priority_order, message_id,
                jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
                jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
                origin_id, delivery_count)
            FROM @due AS d
            INNER LOOP JOIN [readpast].delayed_message AS m
                WITH (READPAST, ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
                ON m.due_at = d.due_at AND m.message_id = d.message_id
            WHERE d.n >= @from AND d.n < @from + @step;
            SET @from = @from + @step;
        END TRY
        BEGIN CATCH
            IF ERROR_NUMBER() NOT IN (1222, 2627) OR XACT_STATE() = -1
            BEGIN
                SET LOCK_TIMEOUT -1;
                SET XACT_ABORT ON;
                THROW;
            END;
            IF @step = 1 AND ERROR_NUMBER() = 2627
            BEGIN
                SET @new_id = NEXT VALUE FOR [readpast].message_seq;
                UPDATE m
                SET message_id = @new_id
                FROM @due AS d
                INNER LOOP JOIN [readpast].delayed_message AS m
                    WITH (READPAST, ROWLOCK, FORCESEEK, INDEX (delayed_message_key))
                    ON m.due_at = d.due_at AND m.message_id = d.message_id
                WHERE d.n = @from;
                UPDATE @due SET message_id = @new_id WHERE n = @from;
            END
            ELSE IF @step = 1
            BEGIN
                DELETE FROM @due WHERE n = @from;
                SET @from = @from + 1;
            END;
            SET @step = 1;
            SET LOCK_TIMEOUT 10;
        END CATCH;
    END;
    SET LOCK_TIMEOUT -1;
    IF @all = 1
        SELECT DISTINCT destination_id FROM @due;
END
GO

-- Makes a message that the caller has locked a dead letter of its queue, as the JMS side makes them: where it comes from, why
-- and when, how many deliveries and its id stand among its properties, and origin_id lets it be sent back. Where the properties are no
-- JSON object they stay as they are, and unreadable_message has the reason. In the history of its
-- queue it is a row without the body, which the dead letter, of the same message_id, goes on having.
-- Locks: X on the row, which the caller has locked.
ALTER PROCEDURE [readpast].bury
    @destination_id  int,
    @priority_order  smallint,
    @message_id      bigint,
    @reason          nvarchar(1000),
    @claimed_at      datetime2(3),    -- null: it was found with its attempts used up
    @worker          nvarchar(255)
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @dead_letter_queue nvarchar(400), @dead_letter_id int, @properties nvarchar(max), @note nvarchar(max),
            @from nvarchar(450), @jms_message_id nvarchar(255), @deliveries int, @history smallint, @before nvarchar(max),
            @enqueued_at datetime2(3), @readable bit, @moved int;
    SELECT @dead_letter_queue = COALESCE(dead_letter_queue, N'DLQ'), @history = history
    FROM [readpast].destination
    WHERE destination_id = @destination_id;
    EXECUTE [readpast].find_queue @dead_letter_queue, 1, @dead_letter_id OUTPUT;
    SELECT @before = properties, @properties = RTRIM(properties), @from = jms_destination, @jms_message_id = jms_message_id,
           @deliveries = delivery_count, @enqueued_at = enqueued_at
    FROM [readpast].message
    WHERE destination_id = @destination_id AND priority_order = @priority_order AND message_id = @message_id;

    IF @properties = N''
        SET @properties = NULL;
    SET @readable = [readpast].is_object(@properties);
    IF @readable = 1 AND @properties LIKE N'%JMS[_]READPAST[_]%'
        SET @properties = JSON_MODIFY(JSON_MODIFY(JSON_MODIFY(JSON_MODIFY(JSON_MODIFY(@properties,
            '$.JMS_READPAST_OriginalDestination', NULL), '$.JMS_READPAST_OriginalMessageID', NULL),
            '$.JMS_READPAST_DeadLetterReason', NULL), '$.JMS_READPAST_DeadLetterTime', NULL),
            '$.JMS_READPAST_Deliveries', NULL);
    SET @note = JSON_MODIFY(N'{}', '$.JMS_READPAST_OriginalDestination', @from);
    IF @jms_message_id IS NOT NULL
        SET @note = JSON_MODIFY(@note, '$.JMS_READPAST_OriginalMessageID', @jms_message_id);
    SET @note = JSON_MODIFY(@note, '$.JMS_READPAST_DeadLetterReason',
        COALESCE(@reason, CONCAT(N'delivered ', @deliveries, N' times without being acknowledged')));
    -- As text, so that what the sender wrote stays as it is.
    SET @note = CONCAT(SUBSTRING(@note, 2, LEN(@note) - 2),
        N',"JMS_READPAST_DeadLetterTime":', DATEDIFF_BIG(millisecond, '1970-01-01', SYSUTCDATETIME()),
        N',"JMS_READPAST_Deliveries":', @deliveries, N'}');
    IF @readable = 0
        SET @properties = @before;
    ELSE IF NOT EXISTS (SELECT 1 FROM OPENJSON(@properties))
        SET @properties = N'{' + @note;
    ELSE
        SET @properties = LEFT(@properties, LEN(@properties) - CHARINDEX(N'}', REVERSE(@properties))) + N',' + @note;

    UPDATE [readpast].message WITH (ROWLOCK)
    SET origin_id = destination_id,
        destination_id = @dead_letter_id,
        jms_destination = N'queue://' + @dead_letter_queue,
        jms_expiration = 0,
        properties = @properties,
        enqueued_at = SYSUTCDATETIME(),
        expires_at = NULL,
        delivery_count = 0
    WHERE destination_id = @destination_id AND priority_order = @priority_order AND message_id = @message_id;
    SET @moved = @@ROWCOUNT;
    IF NOT EXISTS (SELECT 1 FROM [readpast].destination WHERE destination_id = @dead_letter_id)
        THROW 50010, N'The dead letter queue was removed meanwhile: call again.', 1;
    IF @moved = 1 AND @readable = 0
    BEGIN
        DELETE FROM [readpast].unreadable_message
        WHERE destination_id = @dead_letter_id AND priority_order = @priority_order AND message_id = @message_id;
        INSERT INTO [readpast].unreadable_message (destination_id, priority_order, message_id, origin_id, reason, deliveries)
        VALUES (@dead_letter_id, @priority_order, @message_id, @destination_id, N'column properties is no JSON object', @deliveries);
    END;
    IF @moved = 1 AND @history = 1
        INSERT INTO [readpast].message_history (
            destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            properties, body_kind, body_format, body_length, delivery_count, enqueued_at, claimed_at, consumer, outcome)
        SELECT
            @destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            @before, body_kind, body_format, body_length, @deliveries, @enqueued_at, @claimed_at,
            COALESCE(@worker, SUSER_SNAME()), N'dead letter'
        FROM [readpast].message
        WHERE destination_id = @dead_letter_id AND priority_order = @priority_order AND message_id = @message_id;
END
GO

-- Takes the first messages of a queue that nobody holds, in the order of delivery, out of it, and returns them: for good, with a row
-- in the history of a queue that keeps one, or until @deadline. Those whose attempts are used up become dead letters instead. What receive_batch and claim have in common;
-- within the transaction of the former, and for claim in one of its own.
-- Index: message_key, a range from its start without a sort, and one seek for each row; shared_body_key, one seek for each shared
--   body: whoever scanned the table would wait for a publisher who has just inserted another one.
-- Locks: U and then X on the rows until the transaction ends; rows locked by others are stepped over. With @application_lock
--   also an application lock of the transaction for each, readpast:message:<message_id>, without waiting.
ALTER PROCEDURE [readpast].take
    @destination_id    int,
    @batch             int,
    @application_lock  bit,
    @deadline          datetime2(3),   -- null: for good
    @worker            nvarchar(255)
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    SET TEXTSIZE 2147483647;  -- or the caller's cuts bodies and properties without a word; goes back at the end
    DECLARE @locked TABLE (priority_order smallint NOT NULL, message_id bigint NOT NULL, PRIMARY KEY (priority_order, message_id));
    DECLARE @found TABLE (priority_order smallint NOT NULL, message_id bigint NOT NULL, delivery_count int NOT NULL,
                          PRIMARY KEY (priority_order, message_id));
    DECLARE @limit int, @wanted int, @got int, @more bit, @after_priority smallint, @after_id bigint,
            @priority_order smallint, @message_id bigint, @resource nvarchar(255), @granted int, @now datetime2(3);
    IF @deadline IS NOT NULL
        BEGIN TRANSACTION;
    IF EXISTS (SELECT 1 FROM [readpast].destination WHERE destination_id = @destination_id AND paused IN (N'receive', N'both'))
        SET @destination_id = NULL;
    SET @limit = [readpast].attempt_limit(@destination_id);
    SET @after_priority = -1;
    SET @after_id = 0;
    SET @more = 1;
    WHILE @more = 1
    BEGIN
        SET @wanted = @batch - (SELECT COUNT(*) FROM @locked);
        DELETE FROM @found;
        INSERT INTO @found (priority_order, message_id, delivery_count)
        SELECT TOP (@wanted) priority_order, message_id, delivery_count
        FROM [readpast].message WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id)))
        WHERE destination_id = @destination_id
          AND (priority_order > @after_priority OR (priority_order = @after_priority AND message_id > @after_id))
          AND (expires_at IS NULL OR expires_at > SYSUTCDATETIME())
        ORDER BY destination_id, priority_order, message_id;
        SET @got = @@ROWCOUNT;
        SELECT TOP (1) @after_priority = priority_order, @after_id = message_id
        FROM @found ORDER BY priority_order DESC, message_id DESC;

        -- A count below 0 would never get there.
        WHILE EXISTS (SELECT 1 FROM @found WHERE delivery_count >= @limit OR delivery_count < 0)
        BEGIN
            SELECT TOP (1) @priority_order = priority_order, @message_id = message_id FROM @found
            WHERE delivery_count >= @limit OR delivery_count < 0;
            EXECUTE [readpast].bury @destination_id, @priority_order, @message_id, NULL, NULL, @worker;
            DELETE FROM @found WHERE priority_order = @priority_order AND message_id = @message_id;
        END;
        WHILE @application_lock = 1 AND EXISTS (SELECT 1 FROM @found)
        BEGIN
            SELECT TOP (1) @priority_order = priority_order, @message_id = message_id
            FROM @found ORDER BY priority_order, message_id;
            SET @resource = CONCAT(N'readpast:message:', @message_id);
            EXECUTE @granted = sp_getapplock
                @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 0;
            IF @granted >= 0
                INSERT INTO @locked (priority_order, message_id) VALUES (@priority_order, @message_id);
            DELETE FROM @found WHERE priority_order = @priority_order AND message_id = @message_id;
        END;
        INSERT INTO @locked (priority_order, message_id) SELECT priority_order, message_id FROM @found;
        IF @got < @wanted OR (SELECT COUNT(*) FROM @locked) = @batch
            SET @more = 0;
    END;

    IF @deadline IS NOT NULL
    BEGIN
        DELETE m
        OUTPUT
            @deadline, deleted.message_id, deleted.destination_id, deleted.priority_order, NEWID(), @worker, SYSUTCDATETIME(),
            deleted.jms_message_id, deleted.jms_destination, deleted.reply_to, deleted.correlation_id, deleted.jms_type,
            deleted.delivery_mode, deleted.jms_timestamp, deleted.jms_expiration, deleted.jms_delivery_time,
            deleted.group_id, deleted.properties, deleted.body_kind, deleted.body_format, deleted.body_length,
            deleted.body, deleted.body_id, deleted.enqueued_at, deleted.expires_at, deleted.origin_id,
            deleted.delivery_count % 2147483647 + 1
        INTO [readpast].delayed_message (
            due_at, message_id, destination_id, priority_order, claim_token, worker, claimed_at,
            jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp,
            jms_expiration, jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at,
            expires_at, origin_id, delivery_count)
        FROM @locked AS k
        INNER LOOP JOIN [readpast].message AS m
            WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
            ON m.destination_id = @destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id;
        DECLARE @claimed TABLE (
            claim_token uniqueidentifier NOT NULL, attempt int NOT NULL, deadline datetime2(3) NOT NULL, message_id bigint NOT NULL,
            jms_message_id nvarchar(255) NULL, priority int NOT NULL, kind nvarchar(7) NOT NULL, body_format smallint NOT NULL,
            body varbinary(max) NULL, properties nvarchar(max) NULL, correlation_id nvarchar(255) NULL, type nvarchar(255) NULL,
            reply_to nvarchar(450) NULL, delivery_count int NOT NULL, sent_at datetime2(3) NULL, enqueued_at datetime2(3) NOT NULL,
            expires_at datetime2(3) NULL);
        INSERT INTO @claimed (
            claim_token, attempt, deadline, message_id, jms_message_id, priority, kind, body_format, body, properties, correlation_id,
            type, reply_to, delivery_count, sent_at, enqueued_at, expires_at)
        SELECT m.claim_token, m.delivery_count, m.due_at, m.message_id, m.jms_message_id, 9 - m.priority_order,
               CASE m.body_kind WHEN 0 THEN N'message' WHEN 1 THEN N'text' WHEN 2 THEN N'bytes' WHEN 3 THEN N'map'
                                WHEN 4 THEN N'stream' ELSE N'object' END,
               m.body_format, COALESCE(m.body, b.body), m.properties, m.correlation_id, m.jms_type, m.reply_to,
               m.delivery_count - 1, [readpast].time_of(m.jms_timestamp), m.enqueued_at, m.expires_at
        FROM @locked AS k
        INNER LOOP JOIN [readpast].delayed_message AS m WITH (FORCESEEK (delayed_message_key (due_at, message_id)))
            ON m.due_at = @deadline AND m.message_id = k.message_id
        LEFT OUTER LOOP JOIN [readpast].shared_body AS b WITH (FORCESEEK) ON b.body_id = m.body_id;
        COMMIT TRANSACTION;
        -- Rows are on their way while others are not read: each token is good by now, and nothing of the tables is locked.
        SELECT claim_token, attempt, deadline, message_id, jms_message_id, priority, kind,
               [readpast].body_to_text(body, body_format) AS body, CASE WHEN body_format = 1 THEN body END AS binary_body, properties,
               correlation_id, type, reply_to, delivery_count, sent_at, enqueued_at, expires_at
        FROM @claimed
        ORDER BY priority DESC, message_id;
        RETURN;
    END;
    SET @now = SYSUTCDATETIME();
    DECLARE @received TABLE (
        priority_order smallint NOT NULL, message_id bigint NOT NULL, jms_message_id nvarchar(255) NULL, reply_to nvarchar(450) NULL,
        correlation_id nvarchar(255) NULL, jms_type nvarchar(255) NULL, jms_timestamp bigint NOT NULL, group_id nvarchar(255) NULL,
        properties nvarchar(max) NULL, body_kind smallint NOT NULL, body_format smallint NOT NULL, body_length bigint NOT NULL,
        body varbinary(max) NULL, body_id bigint NULL, enqueued_at datetime2(3) NOT NULL,
        expires_at datetime2(3) NULL, delivery_count int NOT NULL, PRIMARY KEY (priority_order, message_id));
    DELETE m
    OUTPUT deleted.priority_order, deleted.message_id, deleted.jms_message_id, deleted.reply_to, deleted.correlation_id,
           deleted.jms_type, deleted.jms_timestamp, deleted.group_id, deleted.properties, deleted.body_kind,
           deleted.body_format, deleted.body_length, deleted.body, deleted.body_id, deleted.enqueued_at, deleted.expires_at,
           deleted.delivery_count
    INTO @received (
        priority_order, message_id, jms_message_id, reply_to, correlation_id, jms_type, jms_timestamp, group_id, properties,
        body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at, delivery_count)
    FROM @locked AS k
    INNER LOOP JOIN [readpast].message AS m
        WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
        ON m.destination_id = @destination_id AND m.priority_order = k.priority_order AND m.message_id = k.message_id;
    IF EXISTS (SELECT 1 FROM [readpast].destination WHERE destination_id = @destination_id AND history = 1)
        INSERT INTO [readpast].message_history (
            completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, claimed_at, consumer, outcome)
        SELECT
            @now, @destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id,
            properties, body_kind, body_format, body_length, body, delivery_count % 2147483647 + 1, enqueued_at, @now, SUSER_SNAME(), N'completed'
        FROM @received;
    SELECT
           m.message_id,
           m.jms_message_id,
           9 - m.priority_order AS priority,
           CASE m.body_kind WHEN 0 THEN N'message' WHEN 1 THEN N'text' WHEN 2 THEN N'bytes' WHEN 3 THEN N'map'
                            WHEN 4 THEN N'stream' ELSE N'object' END AS kind,
           [readpast].body_to_text(COALESCE(m.body, b.body), m.body_format) AS body,
           CASE WHEN m.body_format = 1 THEN COALESCE(m.body, b.body) END AS binary_body,
           m.properties,
           m.correlation_id,
           m.jms_type AS type,
           m.reply_to,
           m.delivery_count,
           [readpast].time_of(m.jms_timestamp) AS sent_at,
           m.enqueued_at,
           m.expires_at
    FROM @received AS m
    LEFT OUTER LOOP JOIN [readpast].shared_body AS b WITH (FORCESEEK) ON b.body_id = m.body_id
    ORDER BY m.priority_order, m.message_id;
END
GO

-- Receives up to @batch messages that nobody else gets, within the caller's transaction: they are gone when it commits and back
-- when it rolls back, and until then others step over them. Called outside of a transaction it is one of its own: then the
-- messages are gone when it returns. Moves messages that have become due first, before a transaction of its own; those that it does not
-- receive can be received by others when the caller's transaction has ended.
-- Columns: message_id (the order of sending), jms_message_id, priority, kind, body (text; the JSON of map and stream messages),
--   binary_body (of bytes and object messages), properties, correlation_id, type, reply_to, delivery_count (earlier
--   deliveries), sent_at, enqueued_at, expires_at.
-- Locks: X on the received rows; rows locked by others are stepped over. @application_lock: see take. Only callers that all
--   ask for it exclude each other where lock hints are ignored.
ALTER PROCEDURE [readpast].receive_batch
    @queue             nvarchar(401),
    @batch             int  = 1,
    @application_lock  bit  = 0
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    IF @batch IS NULL OR @batch NOT BETWEEN 1 AND 10000
        THROW 50010, N'@batch is 1 to 10000.', 1;
    DECLARE @own bit, @destination_id int;
    SET @own = CASE WHEN @@TRANCOUNT = 0 AND @@OPTIONS & 2 = 0 THEN 1 ELSE 0 END;
    EXECUTE [readpast].find_queue @queue, 0, @destination_id OUTPUT;
    EXECUTE [readpast].move_due @destination_id, @batch;
    IF @own = 1
        BEGIN TRANSACTION;
    EXECUTE [readpast].take @destination_id, @batch, @application_lock, NULL, NULL;
    IF @own = 1
        COMMIT TRANSACTION;
END
GO

-- Claims up to @count messages for work that takes its time: they are out of the queue until @lease_seconds have passed, without
-- an open transaction. Then they are back, unless the worker has called complete, fail or extend with the claim_token of each.
-- A claim counts as an attempt, whatever becomes of the worker; a message whose attempts are used up is a dead letter.
-- It commits at once, so it cannot be called within a transaction (nor by INSERT ... EXECUTE, which is one).
-- Columns: claim_token, attempt (1 for the first), deadline, and those of receive_batch.
-- Locks: X on the claimed rows, for the moment of the call; rows locked by others are stepped over.
ALTER PROCEDURE [readpast].claim
    @queue          nvarchar(401),
    @count          int            = 1,
    @lease_seconds  int            = 60,
    @worker         nvarchar(256)  = NULL  -- null: the login
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    IF @count IS NULL OR @count NOT BETWEEN 1 AND 10000
        THROW 50010, N'@count is 1 to 10000.', 1;
    IF @lease_seconds IS NULL OR @lease_seconds NOT BETWEEN 1 AND 31536000
        THROW 50010, N'@lease_seconds is 1 to 31536000, which is a year.', 1;
    IF LEN(@worker + N'.' COLLATE Latin1_General_100_BIN2) > 256
        THROW 50010, N'@worker has up to 255 characters.', 1;
    IF @@TRANCOUNT > 0 OR @@OPTIONS & 2 = 2
        THROW 50011, N'A claim commits at once: call it outside of a transaction, and not in implicit transaction mode.', 1;
    DECLARE @destination_id int, @deadline datetime2(3);
    EXECUTE [readpast].find_queue @queue, 0, @destination_id OUTPUT;
    EXECUTE [readpast].move_due @destination_id, 1000;
    SET @worker = COALESCE(@worker, SUSER_SNAME());
    SET @deadline = DATEADD(second, @lease_seconds, SYSUTCDATETIME());
    EXECUTE [readpast].take @destination_id, @count, 0, @deadline, @worker;
END
GO

-- Ends a claim whose work is done: the message is gone. In the caller's transaction, so that it may be one with the work's
-- results. Returns 0; 1 where the token is stale, and then changes nothing: the lease was over and the message is back in the
-- queue, with somebody else, or done.
-- Finds the message by its token and then locks it by its key, as those who move it do: the other way round would be a deadlock. Where
-- it has another key by then, somebody has extended the claim in between: it looks again. So do fail and extend.
-- Index: delayed_message_claim, which has the key; [readpast].destination by key; delayed_message_key, one seek.
-- Locks: X on the row.
ALTER PROCEDURE [readpast].complete
    @claim_token  uniqueidentifier
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @due_at datetime2(3), @message_id bigint, @history smallint, @completed int;
    SET @completed = 0;
    WHILE @completed = 0
    BEGIN
        SET @due_at = NULL;
        SELECT @due_at = m.due_at, @message_id = m.message_id, @history = d.history
        FROM [readpast].delayed_message AS m WITH (FORCESEEK (delayed_message_claim (claim_token)))
        JOIN [readpast].destination AS d ON d.destination_id = m.destination_id
        WHERE m.claim_token = @claim_token AND m.claim_token IS NOT NULL;
        IF @due_at IS NULL
            RETURN 1;
        IF @history = 1
        BEGIN
            DELETE m
            OUTPUT
                SYSUTCDATETIME(), deleted.destination_id, deleted.message_id, deleted.priority_order, deleted.jms_message_id,
                deleted.correlation_id, deleted.jms_type, deleted.reply_to, deleted.group_id, deleted.properties,
                deleted.body_kind, deleted.body_format, deleted.body_length, deleted.body, deleted.delivery_count,
                deleted.enqueued_at, deleted.claimed_at, deleted.worker, N'completed'
            INTO [readpast].message_history (
                completed_at, destination_id, message_id, priority_order, jms_message_id, correlation_id, jms_type, reply_to,
                group_id, properties, body_kind, body_format, body_length, body, delivery_count, enqueued_at, claimed_at, consumer,
                outcome)
            FROM [readpast].delayed_message AS m WITH (ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
            WHERE m.due_at = @due_at AND m.message_id = @message_id AND m.claim_token = @claim_token;
            SET @completed = @@ROWCOUNT;
        END
        ELSE
        BEGIN
            DELETE m
            FROM [readpast].delayed_message AS m WITH (ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
            WHERE m.due_at = @due_at AND m.message_id = @message_id AND m.claim_token = @claim_token;
            SET @completed = @@ROWCOUNT;
        END;
    END;
    RETURN 0;
END
GO

-- Puts a claimed message back into its queue. @moved: 1; 0 where the token is stale; -1 where its old key in the queue is locked, which is
-- not waited for for long. A part of fail, so that the caller's LOCK_TIMEOUT and XACT_ABORT hold again behind it.
-- Index: delayed_message_key, one seek; appends to [readpast].message.
-- Locks: X on the row.
ALTER PROCEDURE [readpast].put_back
    @due_at       datetime2(3),
    @message_id   bigint,
    @claim_token  uniqueidentifier,
    @moved        int OUTPUT
AS
BEGIN
    SET NOCOUNT ON;
    SET XACT_ABORT OFF;  -- or the error that is caught below would have doomed the transaction
    SET LOCK_TIMEOUT 500;
    BEGIN TRY
        DELETE m
        OUTPUT
            deleted.destination_id, deleted.priority_order, deleted.message_id,
            deleted.jms_message_id, deleted.jms_destination, deleted.reply_to, deleted.correlation_id, deleted.jms_type,
            deleted.delivery_mode, deleted.jms_timestamp, deleted.jms_expiration, deleted.jms_delivery_time, deleted.group_id,
            deleted.properties, deleted.body_kind, deleted.body_format, deleted.body_length, deleted.body, deleted.body_id, deleted.enqueued_at,
            deleted.expires_at, deleted.origin_id, deleted.delivery_count
        INTO [readpast].message (
            destination_id, priority_order, message_id,
            jms_message_id, jms_destination, reply_to, correlation_id, jms_type, delivery_mode, jms_timestamp, jms_expiration,
            jms_delivery_time, group_id, properties, body_kind, body_format, body_length, body, body_id, enqueued_at, expires_at,
            origin_id, delivery_count)
        FROM [readpast].delayed_message AS m WITH (ROWLOCK, FORCESEEK (delayed_message_key (due_at, message_id)))
        WHERE m.due_at = @due_at AND m.message_id = @message_id AND m.claim_token = @claim_token;
        SET @moved = @@ROWCOUNT;
    END TRY
    BEGIN CATCH
        SET XACT_ABORT ON;
        IF ERROR_NUMBER() <> 1222 OR XACT_STATE() = -1
            THROW;
        SET @moved = -1;
    END CATCH;
END
GO

-- Ends a claim whose work has failed: the message is back in its queue at once, or a dead letter where its attempts are used up,
-- with @reason among its properties. In the caller's transaction. Returns 0; 1 where the token is stale: see complete.
-- Where its old key in the queue is locked (see move_due), its lease ends now instead, and the next one who moves what is due puts
-- it back, or makes it a dead letter, without @reason then.
-- Index: delayed_message_claim, which has the key; delayed_message_key, one seek; appends to [readpast].message.
-- Locks: X on the row.
ALTER PROCEDURE [readpast].fail
    @claim_token  uniqueidentifier,
    @reason       nvarchar(1000)  = NULL   -- what is longer is cut: the failure shall be told in any case
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @due_at datetime2(3), @message_id bigint, @destination_id int, @priority_order smallint, @delivery_count int,
            @own bit, @stale int, @failed int, @ended int, @claimed_at datetime2(3), @worker nvarchar(255);
    SET @own = CASE WHEN @@TRANCOUNT = 0 AND @@OPTIONS & 2 = 0 THEN 1 ELSE 0 END;
    IF @own = 1
        BEGIN TRANSACTION;
    SET @stale = 0;
    SET @failed = 0;
    SET @ended = 0;
    WHILE @stale = 0 AND @failed < 1 AND @ended = 0
    BEGIN
        SET @due_at = NULL;
        SELECT @due_at = due_at, @message_id = message_id
        FROM [readpast].delayed_message WITH (FORCESEEK (delayed_message_claim (claim_token)))
        WHERE claim_token = @claim_token AND claim_token IS NOT NULL;
        SELECT @destination_id = destination_id, @priority_order = priority_order, @delivery_count = delivery_count,
               @claimed_at = claimed_at, @worker = worker
        FROM [readpast].delayed_message
        WHERE due_at = @due_at AND message_id = @message_id;
        SET @stale = CASE WHEN @due_at IS NULL THEN 1 ELSE 0 END;
        EXECUTE [readpast].put_back @due_at, @message_id, @claim_token, @failed OUTPUT;
        IF @failed = -1
        BEGIN
            UPDATE m
            SET due_at = SYSUTCDATETIME()
            FROM [readpast].delayed_message AS m WITH (ROWLOCK, FORCESEEK, INDEX (delayed_message_key))
            WHERE m.due_at = @due_at AND m.message_id = @message_id AND m.claim_token = @claim_token;
            SET @ended = @@ROWCOUNT;
        END;
    END;
    IF @failed = 1 AND @delivery_count >= [readpast].attempt_limit(@destination_id)
        EXECUTE [readpast].bury @destination_id, @priority_order, @message_id, @reason, @claimed_at, @worker;
    IF @own = 1
        COMMIT TRANSACTION;
    RETURN @stale;
END
GO

-- Gives a claim more time: @lease_seconds from now. In the caller's transaction. Returns 0; 1 where the token is stale: see
-- complete.
-- Index: delayed_message_claim, which has the key; delayed_message_key, one seek.
-- Locks: X on the row.
ALTER PROCEDURE [readpast].extend
    @claim_token    uniqueidentifier,
    @lease_seconds  int  = 60
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    IF @lease_seconds IS NULL OR @lease_seconds NOT BETWEEN 1 AND 31536000
        THROW 50010, N'@lease_seconds is 1 to 31536000, which is a year.', 1;
    DECLARE @due_at datetime2(3), @message_id bigint, @extended int;
    SET @extended = 0;
    WHILE @extended = 0
    BEGIN
        SET @due_at = NULL;
        SELECT @due_at = due_at, @message_id = message_id
        FROM [readpast].delayed_message WITH (FORCESEEK (delayed_message_claim (claim_token)))
        WHERE claim_token = @claim_token AND claim_token IS NOT NULL;
        IF @due_at IS NULL
            RETURN 1;
        UPDATE m
        SET due_at = DATEADD(second, @lease_seconds, SYSUTCDATETIME())
        FROM [readpast].delayed_message AS m WITH (ROWLOCK, FORCESEEK, INDEX (delayed_message_key))
        WHERE m.due_at = @due_at AND m.message_id = @message_id AND m.claim_token = @claim_token;
        SET @extended = @@ROWCOUNT;
    END;
    RETURN 0;
END
GO

-- For scripts that JMS clients of older versions cannot use: an error (50018) that tells how many of them are connected, and names the first,
-- by whatever tool the script is run. Nobody registers until the transaction ends. A client whose registration was cut off counts as
-- gone: it is refused when it comes back.
ALTER PROCEDURE [readpast].refuse_older_clients
    @oldest int
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    DECLARE @older int, @first nvarchar(600), @message nvarchar(2000);
    SELECT @older = COUNT(*)
    FROM [readpast].presence WITH (HOLDLOCK)
    WHERE COALESCE(schema_version, 0) < @oldest
      AND APPLOCK_TEST('public', CONCAT(LOWER(N'READPAST'), N':readpast:', instance), 'Exclusive', 'Session') = 0;
    IF @older > 0
    BEGIN
        SELECT TOP (1) @first = CONCAT(process, N' on ', host, N' (release ', provider_version, N', version ',
            COALESCE(schema_version, 0), N')')
        FROM [readpast].presence
        WHERE COALESCE(schema_version, 0) < @oldest
          AND APPLOCK_TEST('public', CONCAT(LOWER(N'READPAST'), N':readpast:', instance), 'Exclusive', 'Session') = 0
        ORDER BY started_at, instance;
        SET @message = CONCAT(N'This is for JMS clients of version ', @oldest, N' and later, and ', @older,
            N' older ones are connected; stop these first, among them ', @first);
        THROW 50018, @message, 1;
    END;
END
GO

-- Recorded where all of it is there: sqlcmd without -b goes on behind an error.
IF NOT EXISTS (SELECT 1 FROM [readpast].schema_version WHERE version = 3)
BEGIN
    IF (SELECT COUNT(*) FROM sys.objects
        WHERE schema_id = SCHEMA_ID(N'readpast') AND type IN ('FN', 'IF', 'P', 'V')
          AND object_id NOT IN (SELECT object_id FROM sys.sql_modules WHERE definition LIKE N'%50013%') AND name IN (
            N'text_to_body', N'body_to_text', N'time_of', N'is_object', N'attempt_limit', N'find_queue', N'check_not_moved', N'create_queue', N'pause', N'resume', N'mark_moved', N'send',
            N'move_due', N'bury', N'take', N'receive_batch', N'claim', N'complete', N'put_back', N'fail', N'extend', N'refuse_older_clients')) < 22
        THROW 50013, N'003-procedures.sql is not complete: mend what the errors above say, and run it again', 1;
    INSERT INTO [readpast].schema_version (version, script) VALUES (3, N'003-procedures.sql');
END;
GO
