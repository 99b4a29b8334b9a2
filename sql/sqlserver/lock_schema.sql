-- Waits for the right to run schema scripts, which unlock_schema gives back; fails with 50002 after a minute.
-- Parameters: :resource (the schema)
-- Index: none.
-- Locks: an application lock of the session.
DECLARE @granted int;
EXECUTE @granted = sp_getapplock
    @Resource = :resource, @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 60000;
IF @granted < 0
    THROW 50002, N'The lock is held by somebody else', 1
