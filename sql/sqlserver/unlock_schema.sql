-- Gives back what lock_schema took.
-- Parameters: :resource (the schema)
-- Index: none.
-- Locks: releases an application lock of the session.
EXECUTE sp_releaseapplock @Resource = :resource, @LockOwner = 'Session'
