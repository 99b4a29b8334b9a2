-- Waits for the right to run schema scripts, until the transaction ends. Reads first, because the lock belongs to a
-- transaction and a transaction begins with a statement that reads.
-- Parameters: :resource (the schema)
-- Index: none.
-- Locks: an application lock of the transaction, for which it waits up to a minute.
DECLARE @granted int;
DECLARE @schemas int = (SELECT COUNT(*) FROM sys.schemas);
EXECUTE @granted = sp_getapplock
    @Resource = :resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 60000;
SELECT CASE WHEN @granted >= 0 THEN 1 ELSE 0 END AS granted
