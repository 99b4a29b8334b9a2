-- Whether the open transaction is still the one that set_savepoint marked. After a deadlock, and other errors that end the
-- transaction, the next statement begins another without a word, which has not this lock.
-- Parameters: none
-- Index: none.
-- Locks: none; looks for the application lock of set_savepoint.
DECLARE @mode nvarchar(32) = N'NoLock';
DECLARE @resource nvarchar(100) = CONCAT(N'readpast:mark:', @@SPID);
IF @@TRANCOUNT > 0
    SET @mode = APPLOCK_MODE('public', @resource, 'Transaction');
SELECT CASE WHEN @mode = N'NoLock' THEN 0 ELSE 1 END AS intact
