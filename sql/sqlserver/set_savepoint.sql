-- Marks the place in the open transaction that roll_back_to_savepoint goes back to, and the transaction itself, by an application lock
-- that ends with it: see check_savepoint. Begins a transaction where none is open, as Microsoft's driver does for its savepoints: with
-- implicit transactions the first BEGIN opens two. Runs as a text batch, which may change @@TRANCOUNT. The lock comes before the
-- savepoint, so that going back there does not release it.
-- Parameters: none
-- Index: none.
-- Locks: an application lock of the transaction, named after the session.
IF @@TRANCOUNT = 0
BEGIN
    BEGIN TRANSACTION;
    IF @@TRANCOUNT = 2
        COMMIT TRANSACTION;
END;
DECLARE @granted int;
DECLARE @resource nvarchar(100) = CONCAT(N'readpast:mark:', @@SPID);
EXECUTE @granted = sp_getapplock
    @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 0;
IF @granted < 0
    THROW 50002, N'The lock is held by somebody else', 1;
SAVE TRANSACTION readpast_mark
