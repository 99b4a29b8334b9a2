-- Gives back the lock that hold_presence took.
-- Parameters: :resource (schema and instance)
-- Index: none.
-- Locks: releases an application lock of the session.
EXECUTE sp_releaseapplock @Resource = :resource, @LockOwner = 'Session'
