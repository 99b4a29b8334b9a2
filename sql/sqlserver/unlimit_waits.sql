-- Takes back what limit_waits has set.
-- Parameters: none
-- Index: none.
-- Locks: none.
SET LOCK_TIMEOUT -1
