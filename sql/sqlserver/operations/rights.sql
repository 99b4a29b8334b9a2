-- What the login may do: repair messages, and read them with their properties and bodies.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT CASE WHEN HAS_PERMS_BY_NAME(N'[readpast].purge', N'OBJECT', N'EXECUTE') = 1 THEN 1 ELSE 0 END AS may_repair,
       CASE WHEN HAS_PERMS_BY_NAME(N'[readpast].message', N'OBJECT', N'SELECT') = 1 THEN 1 ELSE 0 END AS may_read
