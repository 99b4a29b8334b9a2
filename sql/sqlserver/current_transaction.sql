-- What tells the transaction of this connection from any other; null where none has been begun. An application lock that
-- goes with the transaction shows whether the name in the session's context is still this one's. CURRENT_TRANSACTION_ID()
-- would be shorter, but Babelfish, on which this was run, does not have it.
-- Parameters: none
-- Index: none.
-- Locks: an application lock of the transaction, named after the session.
DECLARE @name nvarchar(100);
DECLARE @resource nvarchar(100) = CONCAT(N'readpast:transaction:', @@SPID);
IF @@TRANCOUNT > 0
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
