-- What time it is there.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT SYSUTCDATETIME() AS now, SUSER_SNAME() AS login
