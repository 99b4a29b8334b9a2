-- Gives back the lock that hold_presence took.
-- Parameters: :resource (schema and instance)
-- Index: none.
-- Locks: releases an application lock of the session.
DECLARE @released int;
EXECUTE @released = sp_releaseapplock @Resource = :resource, @LockOwner = 'Session';
SELECT CASE WHEN @released >= 0 THEN 1 ELSE 0 END AS released
