-- Removes the registration of a JVM.
-- Parameters: :instance
-- Index: primary key of readpast.presence.
-- Locks: the row.
DELETE FROM [readpast].presence WHERE instance = :instance
