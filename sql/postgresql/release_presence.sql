-- Gives back the lock that hold_presence took.
-- Parameters: :resource (schema and instance)
-- Index: none.
-- Locks: releases a session-level advisory lock.
SELECT pg_advisory_unlock(hashtextextended(:resource, 0)) AS released
