-- Puts one message into a queue, available at once, and tells the JVMs that listen. The commit of such a statement takes a lock that all
-- commits of the database share which notify, so a JVM has only one of them under way at a time.
-- Parameters: those of insert_message, and :payload (as of ring)
-- Index: appends to all of readpast.message.
-- Locks: the new row; notifying commits of the whole database, until this one is on the disk.
WITH sent AS (
    /* include insert_message */)
SELECT pg_notify('readpast', :payload)
