-- Removes the registration of a JVM.
-- Parameters: :instance
-- Index: primary key of readpast.presence.
-- Locks: the row.
DELETE FROM [readpast].removable_presence WHERE instance = :instance
