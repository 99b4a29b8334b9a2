-- Tells the last id that a message has got, and after that lists the transactions, as PostgreSQL's virtual ids, that write to the
-- messages or may do so: whoever inserts a message locks the table in this mode before it draws an id, and keeps that lock until its
-- transaction ends. Who only claims and who vacuums have others and are not listed. So once all of these have ended, all ids up to that one are settled.
-- A branch of a distributed transaction gets another virtual id as it is prepared, and has no process from then on.
-- The last statement writes to the server's log, so that the end of this transaction waits for the disk, and the sequence's log is there when
-- this has answered: what a NON_PERSISTENT message has drawn a crash could give out again else.
-- Parameters: none
-- Index: none; it reads the sequence and the lock table of the server, not readpast.message.
-- Locks: none.
SELECT COALESCE(pg_sequence_last_value(CAST('readpast.message_seq' AS regclass)), 0) AS last_id;
SELECT virtualtransaction, pid IS NULL AS is_prepared
FROM pg_locks
WHERE locktype = 'relation'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND relation = CAST('readpast.message' AS regclass)
  AND mode = 'RowExclusiveLock';
SELECT pg_logical_emit_message(true, 'readpast', '') AS written
