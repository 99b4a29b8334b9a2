-- Installs Readpast, or brings it up to date: runs the numbered scripts that schema_version does not have, and roles.sql, each in a
-- transaction of its own. Run again it goes on where it was stopped, and changes nothing where all was run. A step that waits longer than
-- a second for somebody's lock gives up (1222), so that nobody waits for long behind it: run it again. In sqlcmd, from this folder, as
-- db_owner:
--     sqlcmd -S server -d app -E -b -I -i install.sql
-- or in SSMS in SQLCMD mode, with the full path behind each :r, in a window of its own. Without either: run the numbered scripts in their
-- order, then roles.sql.
-- SET NOEXEC ON: the batches that follow are compiled and not executed, until SET NOEXEC OFF.
:on error exit
-- SSMS keeps its connection: what a run left behind that ended with an error is over.
SET NOEXEC OFF;
GO
IF @@TRANCOUNT > 0
    ROLLBACK TRANSACTION;
SET IMPLICIT_TRANSACTIONS OFF;
SET NOCOUNT, XACT_ABORT ON;
SET LOCK_TIMEOUT 1000;
GO
-- sqlcmd without -d, and a window of SSMS, begin in master.
IF DB_NAME() IN (N'master', N'model', N'msdb', N'tempdb') AND OBJECT_ID(N'[readpast].schema_version', N'U') IS NULL
    THROW 50014, N'This database is the server''s own: name another one, in sqlcmd with -d', 1;
-- A database that was restored from an old server keeps its level, at which there is no OPENJSON.
IF (SELECT compatibility_level FROM sys.databases WHERE name = DB_NAME()) < 130
    THROW 50014, N'The compatibility level of this database is below 130: ALTER DATABASE CURRENT SET COMPATIBILITY_LEVEL = 130', 1;
GO
-- One at a time, as JMS clients with createSchema=true do.
BEGIN TRANSACTION;
DECLARE @granted int, @resource nvarchar(255) = CONCAT(LOWER(N'READPAST'), N':readpast:schema');
EXECUTE @granted = sp_getapplock
    @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 60000;
IF @granted < 0
    THROW 50002, N'Somebody else is installing: run this again', 1;
GO
IF OBJECT_ID(N'[readpast].schema_version', N'U') IS NOT NULL
    IF EXISTS (SELECT 1 FROM [readpast].schema_version WHERE version = 1)
        SET NOEXEC ON;
GO
:r 001-tables.sql
GO
SET NOEXEC OFF;
GO
COMMIT TRANSACTION;
GO
BEGIN TRANSACTION;
DECLARE @granted int, @resource nvarchar(255) = CONCAT(LOWER(N'READPAST'), N':readpast:schema');
EXECUTE @granted = sp_getapplock
    @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 60000;
IF @granted < 0
    THROW 50002, N'Somebody else is installing: run this again', 1;
GO
IF EXISTS (SELECT 1 FROM [readpast].schema_version WHERE version = 2)
    SET NOEXEC ON;
GO
:r 002-views.sql
GO
SET NOEXEC OFF;
GO
COMMIT TRANSACTION;
GO
BEGIN TRANSACTION;
DECLARE @granted int, @resource nvarchar(255) = CONCAT(LOWER(N'READPAST'), N':readpast:schema');
EXECUTE @granted = sp_getapplock
    @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 60000;
IF @granted < 0
    THROW 50002, N'Somebody else is installing: run this again', 1;
GO
IF EXISTS (SELECT 1 FROM [readpast].schema_version WHERE version = 3)
    SET NOEXEC ON;
GO
:r 003-procedures.sql
GO
SET NOEXEC OFF;
GO
COMMIT TRANSACTION;
GO
BEGIN TRANSACTION;
DECLARE @granted int, @resource nvarchar(255) = CONCAT(LOWER(N'READPAST'), N':readpast:schema');
EXECUTE @granted = sp_getapplock
    @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 60000;
IF @granted < 0
    THROW 50002, N'Somebody else is installing: run this again', 1;
GO
IF EXISTS (SELECT 1 FROM [readpast].schema_version WHERE version = 4)
    SET NOEXEC ON;
GO
:r 004-history.sql
GO
SET NOEXEC OFF;
GO
COMMIT TRANSACTION;
GO
BEGIN TRANSACTION;
DECLARE @granted int, @resource nvarchar(255) = CONCAT(LOWER(N'READPAST'), N':readpast:schema');
EXECUTE @granted = sp_getapplock
    @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 60000;
IF @granted < 0
    THROW 50002, N'Somebody else is installing: run this again', 1;
GO
IF EXISTS (SELECT 1 FROM [readpast].schema_version WHERE version = 5)
    SET NOEXEC ON;
GO
:r 005-repair.sql
GO
SET NOEXEC OFF;
GO
COMMIT TRANSACTION;
GO
BEGIN TRANSACTION;
DECLARE @granted int, @resource nvarchar(255) = CONCAT(LOWER(N'READPAST'), N':readpast:schema');
EXECUTE @granted = sp_getapplock
    @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 60000;
IF @granted < 0
    THROW 50002, N'Somebody else is installing: run this again', 1;
GO
IF EXISTS (SELECT 1 FROM [readpast].schema_version WHERE version = 6)
    SET NOEXEC ON;
GO
:r 006-observe.sql
GO
SET NOEXEC OFF;
GO
COMMIT TRANSACTION;
GO
BEGIN TRANSACTION;
DECLARE @granted int, @resource nvarchar(255) = CONCAT(LOWER(N'READPAST'), N':readpast:schema');
EXECUTE @granted = sp_getapplock
    @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 60000;
IF @granted < 0
    THROW 50002, N'Somebody else is installing: run this again', 1;
GO
:r roles.sql
GO
COMMIT TRANSACTION;
SET LOCK_TIMEOUT -1;
GO
