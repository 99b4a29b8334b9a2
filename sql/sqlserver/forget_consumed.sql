-- Forgets which destinations a JVM consumed from: it is gone, and they are marked where they had to be.
-- Parameters: :instance
-- Index: consumed_destination_key, a range.
-- Locks: the rows.
DELETE FROM [readpast].removable_consumed_destination WHERE instance = :instance
