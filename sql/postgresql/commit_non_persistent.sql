-- Commits without waiting for the disk, or for a standby: a crash of the server within the next moment can undo it, with all that is
-- committed later and does not wait either. What is committed later and waits is never there without it.
-- Entered: in a transaction, for which alone the setting is made.
-- Parameters: none
-- Index: none.
-- Locks: none.
SET LOCAL synchronous_commit = off;
COMMIT
