-- Notes that a JVM is back.
-- Parameters: :instance
-- Index: primary key of readpast.presence.
-- Locks: the row.
UPDATE readpast.presence SET missing_since = NULL WHERE instance = :instance
