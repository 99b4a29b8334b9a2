-- Tries the lock that shows that a JVM lives, and keeps it until the transaction ends; fails with 50002 if it is held. Reads
-- first, because the lock belongs to a transaction and a transaction begins with a statement that reads.
-- Parameters: :resource (schema and instance)
-- Index: a scan of a small table.
-- Locks: an application lock of the transaction, without waiting.
DECLARE @granted int;
SELECT MAX(version) AS version FROM [readpast].schema_version;
EXECUTE @granted = sp_getapplock
    @Resource = :resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 0;
IF @granted < 0
    THROW 50002, N'The lock is held by somebody else', 1
