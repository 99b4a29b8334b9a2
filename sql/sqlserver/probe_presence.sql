-- Tries the lock that shows that a JVM lives, and keeps it until the transaction ends; returns whether it was free. Reads
-- first, because the lock belongs to a transaction and a transaction begins with a statement that reads.
-- Parameters: :resource (schema and instance)
-- Index: none.
-- Locks: an application lock of the transaction, without waiting.
DECLARE @granted int;
DECLARE @version int = (SELECT MAX(version) FROM [readpast].schema_version);
EXECUTE @granted = sp_getapplock
    @Resource = :resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 0;
SELECT CASE WHEN @granted >= 0 THEN 1 ELSE 0 END AS granted
