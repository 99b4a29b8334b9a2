-- Takes the lock that shows that a JVM lives, for as long as its session does; returns whether it was free.
-- Parameters: :resource (schema and instance)
-- Index: none.
-- Locks: an application lock of the session, without waiting.
DECLARE @granted int;
EXECUTE @granted = sp_getapplock
    @Resource = :resource, @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 0;
SELECT CASE WHEN @granted >= 0 THEN 1 ELSE 0 END AS granted
