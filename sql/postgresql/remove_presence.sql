-- Removes the registration of a JVM.
-- Parameters: :instance
-- Index: primary key of readpast.presence.
-- Locks: the row.
SELECT readpast.remove_presence(:instance)
