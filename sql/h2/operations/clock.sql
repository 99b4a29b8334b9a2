-- What time it is there.
-- Parameters: none
-- Index: none.
-- Locks: none.
SELECT CURRENT_TIMESTAMP AS now, CURRENT_USER AS login
