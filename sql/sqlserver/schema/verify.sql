-- Shows on this server whether what Readpast relies on holds, as far as one connection can: installs everything in a database of its
-- own, readpast_verify, runs the procedures, looks at the locks of a claim, and removes the database. In sqlcmd, from this folder, as
-- somebody who may create databases:
--     sqlcmd -S server -E -b -I -i verify.sql
-- The last result is the table of what was checked. What two connections do to each other, every statement and every plan are shown
-- by the program in operations/verify, see docs/sqlserver.md.
:on error exit
SET NOCOUNT, XACT_ABORT, ANSI_NULLS, QUOTED_IDENTIFIER ON;
GO
IF CAST(SERVERPROPERTY('EngineEdition') AS int) = 5
    THROW 50013, N'Azure SQL Database has no USE: make a database, run install.sql there, and the program in operations/verify with --here', 1;
IF DB_ID(N'readpast_verify') IS NOT NULL
    THROW 50013, N'There is a database readpast_verify, left by an earlier run: DROP DATABASE readpast_verify', 1;
-- It outlives the database; SSMS keeps its connection, and with that what an earlier run left.
DROP TABLE IF EXISTS #verified;
CREATE TABLE #verified (step int NOT NULL, what nvarchar(200) NOT NULL, outcome nvarchar(20) NOT NULL, detail nvarchar(2000) NULL);
GO
CREATE DATABASE readpast_verify;
GO
USE readpast_verify;
GO
:r install.sql
GO
SET XACT_ABORT OFF;
SET NOCOUNT ON;
INSERT INTO #verified (step, what, outcome, detail)
SELECT 1, N'installed', N'held', CONCAT(COUNT(*), N' scripts') FROM [readpast].schema_version;
GO
BEGIN TRY
    EXECUTE [readpast].create_queue @queue = N'verify', @maximum_attempts = 2;
    EXECUTE [readpast].send @queue = N'verify', @body = N'first', @properties = N'{"customer":"Ada"}';
    EXECUTE [readpast].send @queue = N'verify', @body = N'second', @delay_millis = 1;
    EXECUTE [readpast].receive_batch @queue = N'verify', @batch = 1;
    EXECUTE [readpast].claim @queue = N'verify', @worker = N'verify';
    EXECUTE [readpast].pause @queue = N'verify', @what = N'both';
    EXECUTE [readpast].resume @queue = N'verify';
    EXECUTE [readpast].hold @queue = N'verify';
    EXECUTE [readpast].release @queue = N'verify';
    EXECUTE [readpast].expire @queue = N'verify';
    EXECUTE [readpast].purge @queue = N'verify';
    INSERT INTO #verified (step, what, outcome) VALUES (2, N'procedures run', N'held');
END TRY
BEGIN CATCH
    INSERT INTO #verified (step, what, outcome, detail)
    VALUES (2, N'procedures run', N'NOT HELD', CONCAT(ERROR_NUMBER(), N' in ', ERROR_PROCEDURE(), N': ', ERROR_MESSAGE()));
END CATCH;
GO
-- 12,000 messages, of which a transaction claims 10,000 as a JMS client would, and acknowledges 10.
DECLARE @queue int = (SELECT destination_id FROM [readpast].destination WHERE kind = N'Q' AND name = N'verify');
DECLARE @acknowledge nvarchar(max) = N'DELETE m
    FROM OPENJSON(@keys) WITH (d int ''$.d'', p smallint ''$.p'', i bigint ''$.i'') AS k
    INNER LOOP JOIN [readpast].message AS m WITH (ROWLOCK, FORCESEEK (message_key (destination_id, priority_order, message_id)))
        ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i;
    IF @@ROWCOUNT <> @expected
        THROW 50001, N''Claimed messages are not there any more'', 1;';
DECLARE @claimed TABLE (destination_id int NOT NULL, priority_order smallint NOT NULL, message_id bigint NOT NULL);
DECLARE @keys nvarchar(max), @locks nvarchar(2000), @left int;
WITH n AS (SELECT v FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS t (v))
INSERT INTO [readpast].message (destination_id, priority_order, jms_message_id, jms_destination, delivery_mode, jms_timestamp,
    jms_expiration, jms_delivery_time, body_kind, body_format, body_length)
SELECT @queue, 5, CONCAT(N'ID:', a.v, b.v, c.v, d.v, e.v), N'queue://verify', 2, 0, 0, 0, 1, 0, 0
FROM n a CROSS JOIN n b CROSS JOIN n c CROSS JOIN n d CROSS JOIN n e
WHERE a.v = 0 OR (a.v = 1 AND b.v < 2);
BEGIN TRY
    BEGIN TRANSACTION;
    INSERT INTO @claimed (destination_id, priority_order, message_id)
    SELECT TOP (10000) m.destination_id, m.priority_order, m.message_id
    FROM [readpast].message AS m WITH (UPDLOCK, READPAST, ROWLOCK, FORCESEEK (message_key (destination_id, priority_order)))
    WHERE m.destination_id = @queue AND m.priority_order > -1 AND (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME())
    ORDER BY m.destination_id, m.priority_order, m.message_id;
    SET @keys = (
        SELECT TOP (10) destination_id AS d, priority_order AS p, message_id AS i
        FROM @claimed ORDER BY priority_order, message_id FOR JSON PATH);
    EXECUTE sp_executesql @acknowledge, N'@keys nvarchar(max), @expected int', @keys = @keys, @expected = 10;
    IF OBJECT_ID(N'sys.dm_tran_locks') IS NOT NULL
    BEGIN
        BEGIN TRY
            EXECUTE sp_executesql N'SET @locks = (
                SELECT CONCAT(resource_type, N'' '', request_mode, N'' '', COUNT(*), N''; '')
                FROM sys.dm_tran_locks
                WHERE request_session_id = @@SPID AND resource_type IN (N''OBJECT'', N''PAGE'', N''KEY'', N''HOBT'')
                GROUP BY resource_type, request_mode
                FOR XML PATH(''''));', N'@locks nvarchar(2000) OUTPUT', @locks = @locks OUTPUT;
        END TRY
        BEGIN CATCH
            SET @locks = NULL;
        END CATCH;
    END;
    COMMIT TRANSACTION;
    SELECT @left = COUNT(*) FROM [readpast].message WHERE destination_id = @queue;
    INSERT INTO #verified (step, what, outcome, detail)
    VALUES (3, N'claimed and acknowledged in one transaction', CASE WHEN @left = 11990 THEN N'held' ELSE N'NOT HELD' END,
        CONCAT(@left, N' of 12,000 messages are left'));
    INSERT INTO #verified (step, what, outcome, detail)
    VALUES (4, N'10,000 claims and 10 acknowledgements lock rows, and no page or table',
        CASE WHEN @locks IS NULL THEN N'not checked'
             WHEN @locks LIKE N'%PAGE [SUX] %' OR @locks LIKE N'%OBJECT [SUX] %' THEN N'NOT HELD'
             ELSE N'held' END,
        COALESCE(@locks, N'locks cannot be seen: VIEW SERVER STATE'));
END TRY
BEGIN CATCH
    IF @@TRANCOUNT > 0
        ROLLBACK TRANSACTION;
    INSERT INTO #verified (step, what, outcome, detail)
    VALUES (3, N'claimed and acknowledged in one transaction', N'NOT HELD', CONCAT(ERROR_NUMBER(), N': ', ERROR_MESSAGE())),
        (4, N'10,000 claims and 10 acknowledgements lock rows, and no page or table', N'not checked', N'see the line above');
END CATCH;
GO
SELECT CONCAT(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(50)), N', ', CAST(SERVERPROPERTY('Edition') AS nvarchar(100)), N', ',
        CAST(SERVERPROPERTY('Collation') AS nvarchar(100))) AS server,
    what, outcome, detail
FROM #verified
ORDER BY step;
GO
USE master;
GO
DROP DATABASE readpast_verify;
GO
IF EXISTS (SELECT 1 FROM #verified WHERE outcome = N'NOT HELD')
    THROW 50013, N'Not all of it holds on this server: see the lines NOT HELD above', 1;
GO
