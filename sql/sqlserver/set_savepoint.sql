-- Marks the place in the open transaction that roll_back_to_savepoint goes back to, and the transaction itself: see check_savepoint. Begins
-- a transaction where none is open, as Microsoft's driver does for its savepoints: with implicit transactions the first BEGIN opens two.
-- Runs as a text batch, which may change @@TRANCOUNT. Babelfish, on which this is tested, has no CURRENT_TRANSACTION_ID(): there an
-- application lock that ends with the transaction marks it, and comes before the savepoint, so that going back does not release it.
-- Parameters: none
-- Index: none.
-- Locks: none; on Babelfish an application lock of the transaction, named after the session.
IF @@TRANCOUNT = 0
BEGIN
    BEGIN TRANSACTION;
    IF @@TRANCOUNT = 2
        COMMIT TRANSACTION;
END;
DECLARE @mark bigint;
DECLARE @granted int = 0;
DECLARE @resource nvarchar(100) = CONCAT(N'readpast:mark:', @@SPID);
IF SERVERPROPERTY('BabelfishVersion') IS NULL
BEGIN
    SET @mark = CURRENT_TRANSACTION_ID();
    EXECUTE sp_set_session_context N'readpast_mark', @mark;
END;
ELSE
    EXECUTE @granted = sp_getapplock
        @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 0;
IF @granted < 0
    THROW 50002, N'The lock is held by somebody else', 1;
SAVE TRANSACTION readpast_mark
