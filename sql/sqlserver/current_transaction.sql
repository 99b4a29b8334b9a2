-- What tells the transaction of this connection from any other; null where none has been begun. Babelfish, on which this is tested, has
-- no CURRENT_TRANSACTION_ID(): there an application lock that goes with the transaction shows whether the name in the session's context
-- is still this one's. SQL Server may give such a lock back with a rollback to a savepoint, behind which the transaction goes on.
-- Parameters: none
-- Index: none.
-- Locks: none; on Babelfish an application lock of the transaction, named after the session.
DECLARE @name nvarchar(100);
DECLARE @resource nvarchar(100) = CONCAT(N'readpast:transaction:', @@SPID);
IF @@TRANCOUNT > 0 AND SERVERPROPERTY('BabelfishVersion') IS NULL
    SET @name = CONCAT(@@SPID, ':', CURRENT_TRANSACTION_ID());
ELSE IF @@TRANCOUNT > 0
BEGIN
    IF APPLOCK_MODE('public', @resource, 'Transaction') = 'NoLock'
    BEGIN
        EXECUTE sp_getapplock @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 0;
        SET @name = CONCAT(@@SPID, ':', CONVERT(nvarchar(40), NEWID()));
        EXECUTE sp_set_session_context N'readpast_transaction', @name;
    END;
    SET @name = CAST(SESSION_CONTEXT(N'readpast_transaction') AS nvarchar(100));
END;
SELECT @name AS transaction_name
