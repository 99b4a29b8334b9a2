-- Notes that a JVM was found without its lock, if that was not noted before.
-- Parameters: :instance
-- Index: primary key of readpast.presence.
-- Locks: the row.
UPDATE readpast.presence SET missing_since = DATEADD('MILLISECOND', readpast.clock_millis(), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00') WHERE instance = :instance AND missing_since IS NULL
