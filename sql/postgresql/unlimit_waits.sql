-- Takes back what limit_presence_waits has set.
-- Parameters: none
-- Index: none.
-- Locks: none.
RESET lock_timeout
