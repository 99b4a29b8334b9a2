-- Takes the lock that shows that a JVM lives, for as long as its session does; fails with 50002 if it is held.
-- Parameters: :resource (schema and instance)
-- Index: none.
-- Locks: an application lock of the session, without waiting.
DECLARE @granted int;
EXECUTE @granted = sp_getapplock
    @Resource = :resource, @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 0;
IF @granted < 0
    THROW 50002, N'The lock is held by somebody else', 1
