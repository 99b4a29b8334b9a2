-- Forgets which destinations a JVM consumed from: it is gone, and they are marked where they had to be.
-- Parameters: :instance
-- Index: primary key of readpast.consumed_destination, a range.
-- Locks: the rows.
SELECT readpast.forget_consumed(:instance)
