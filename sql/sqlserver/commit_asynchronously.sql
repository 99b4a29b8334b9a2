-- Commits without waiting for the disk, where the database allows it: a crash of the server within the next moment can undo it. What
-- commits later and does wait is never there without it.
-- Entered: in a transaction, as a batch of text.
-- Parameters: none
-- Index: none.
-- Locks: none.
COMMIT TRANSACTION WITH (DELAYED_DURABILITY = ON)
