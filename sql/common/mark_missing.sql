-- Notes that a JVM was found without its lock, if that was not noted before.
-- Parameters: :instance
-- Index: primary key of readpast.presence.
-- Locks: the row.
UPDATE readpast.presence SET missing_since = /* include now */ WHERE instance = :instance AND missing_since IS NULL
