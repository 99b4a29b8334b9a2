-- Version 4: which queues keep a history, and for how long. The table is message_history in 001-tables.sql; sql/README.md says what
-- stands in it. May be run again. Error 50010: an argument is wrong.

-- Kept with each procedure; filtered indexes and computed columns need them. What each sets itself: see 003-procedures.sql.
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
GO

-- What is there is altered and keeps the rights that were given on it; what is not is made first, and does nothing yet.
IF OBJECT_ID(N'[readpast].keep_history', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].keep_history AS RETURN 50013');
IF OBJECT_ID(N'[readpast].drop_history', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].drop_history AS RETURN 50013');
IF OBJECT_ID(N'[readpast].purge_history', N'P') IS NULL EXECUTE (N'CREATE PROCEDURE [readpast].purge_history AS RETURN 50013');
GO

-- From now on keeps what becomes of the messages of a queue, which is created where there is none: for @days, and up to @rows rows;
-- null for no limit. Programs in SQL follow when this is committed, JMS clients some seconds later.
ALTER PROCEDURE [readpast].keep_history
    @queue  nvarchar(401),
    @days   int  = NULL,
    @rows   int  = NULL
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @destination_id int;
    IF @days NOT BETWEEN 0 AND 36500 OR @rows < 0
        THROW 50010, N'@days is 0 to 36500 and @rows 0 or more; null for no limit.', 1;
    EXECUTE [readpast].find_queue @queue, 1, @destination_id OUTPUT;
    UPDATE [readpast].destination
    SET history = 1, history_days = @days, history_rows = @rows
    WHERE destination_id = @destination_id
      AND (history = 0 OR COALESCE(history_days, -1) <> COALESCE(@days, -1) OR COALESCE(history_rows, -1) <> COALESCE(@rows, -1));
END
GO

-- Ends the history of a queue. What there is of it goes with the next calls of purge_history, by a JMS client for example.
ALTER PROCEDURE [readpast].drop_history
    @queue  nvarchar(401)
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @destination_id int;
    EXECUTE [readpast].find_queue @queue, 0, @destination_id OUTPUT;
    UPDATE [readpast].destination
    SET history = 0, history_days = NULL, history_rows = 0
    WHERE destination_id = @destination_id
      AND (history = 1 OR history_days IS NOT NULL OR COALESCE(history_rows, -1) <> 0);
END
GO

-- Removes up to @most rows that are older than their queue keeps them, or more than it keeps, the oldest first, and returns how many:
-- call it again while it returns @most. In batches of a thousand, each a transaction of its own unless the caller has one. JMS clients
-- do this every minute; for a server that has none it is a job's.
-- Index: message_history_key, for each queue from its end over as many rows as it keeps, where it keeps a number; then from its start.
-- Locks: X on the deleted rows; rows that others hold are stepped over, queues that somebody has created and not committed too.
ALTER PROCEDURE [readpast].purge_history
    @queue  nvarchar(401)  = NULL,   -- null: all
    @most   int            = 10000
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    IF @most IS NULL OR @most < 1
        THROW 50010, N'@most is 1 or more.', 1;
    DECLARE @destination_id int, @rows int, @end_at datetime2(3), @end_id bigint, @removed int, @batch int, @got int;
    DECLARE @limited TABLE (destination_id int NOT NULL PRIMARY KEY, history_days int NULL, history_rows int NULL);
    IF @queue IS NOT NULL
        EXECUTE [readpast].find_queue @queue, 0, @destination_id OUTPUT;
    INSERT INTO @limited (destination_id, history_days, history_rows)
    SELECT destination_id, history_days, history_rows
    FROM [readpast].destination WITH (READPAST, READCOMMITTEDLOCK)
    WHERE (history_days IS NOT NULL OR history_rows IS NOT NULL) AND (@queue IS NULL OR destination_id = @destination_id);
    SET @removed = 0;
    WHILE @removed < @most AND EXISTS (SELECT 1 FROM @limited)
    BEGIN
        SELECT TOP (1) @destination_id = destination_id, @rows = history_rows,
               @end_at = DATEADD(day, -history_days, SYSUTCDATETIME()), @end_id = 0
        FROM @limited;
        DELETE FROM @limited WHERE destination_id = @destination_id;
        IF @rows IS NOT NULL
            SELECT @end_at = completed_at, @end_id = history_id
            FROM (SELECT completed_at, history_id
                  FROM [readpast].message_history WITH (READPAST, READCOMMITTEDLOCK, FORCESEEK)
                  WHERE destination_id = @destination_id
                  ORDER BY completed_at DESC, history_id DESC
                  OFFSET @rows ROWS FETCH NEXT 1 ROWS ONLY) AS first_too_many
            WHERE @end_at IS NULL OR completed_at >= @end_at;
        SET @got = CASE WHEN @end_at IS NULL THEN 0 ELSE 1 END;
        WHILE @got > 0 AND @removed < @most
        BEGIN
            SET @batch = CASE WHEN @most - @removed < 1000 THEN @most - @removed ELSE 1000 END;
            DELETE TOP (@batch) FROM [readpast].message_history WITH (READPAST, ROWLOCK)
            WHERE destination_id = @destination_id AND completed_at <= @end_at
              AND (completed_at < @end_at OR history_id <= @end_id);
            SET @got = @@ROWCOUNT;
            SET @removed = @removed + @got;
        END;
    END;
    RETURN @removed;
END
GO

-- Recorded where all of it is there: sqlcmd without -b goes on behind an error.
IF NOT EXISTS (SELECT 1 FROM [readpast].schema_version WHERE version = 4)
BEGIN
    IF (SELECT COUNT(*) FROM sys.objects
        WHERE schema_id = SCHEMA_ID(N'readpast') AND type IN ('FN', 'IF', 'P', 'V')
          AND object_id NOT IN (SELECT object_id FROM sys.sql_modules WHERE definition LIKE N'%50013%') AND name IN (
            N'keep_history', N'drop_history', N'purge_history')) < 3
        THROW 50013, N'004-history.sql is not complete: mend what the errors above say, and run it again', 1;
    INSERT INTO [readpast].schema_version (version, script) VALUES (4, N'004-history.sql');
END;
GO
