-- Whether the open transaction is still the one that set_savepoint marked. After a deadlock, and other errors that end the
-- transaction, the next statement begins another without a word, which has another number. An application may have gone to another database
-- meanwhile (USE), where an application lock of this one would not be seen; so the lock is for Babelfish alone.
-- Parameters: none
-- Index: none.
-- Locks: none.
DECLARE @intact int = 0;
DECLARE @resource nvarchar(100) = CONCAT(N'readpast:mark:', @@SPID);
IF @@TRANCOUNT > 0 AND SERVERPROPERTY('BabelfishVersion') IS NULL
    SET @intact = CASE WHEN CAST(SESSION_CONTEXT(N'readpast_mark') AS bigint) = CURRENT_TRANSACTION_ID() THEN 1 ELSE 0 END;
ELSE IF @@TRANCOUNT > 0
    SET @intact = CASE WHEN APPLOCK_MODE('public', @resource, 'Transaction') = 'NoLock' THEN 0 ELSE 1 END;
SELECT @intact AS intact
