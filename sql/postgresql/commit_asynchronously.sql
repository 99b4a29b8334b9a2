-- Commits without waiting for the disk, or for a standby: a crash of the server within the next moment can undo it, as
-- https://www.postgresql.org/docs/current/wal-async-commit.html says. What commits later and does wait is never there without it.
-- Entered: in a transaction, for which alone the setting is made.
-- Parameters: none
-- Index: none.
-- Locks: none.
SET LOCAL synchronous_commit = off;
COMMIT
