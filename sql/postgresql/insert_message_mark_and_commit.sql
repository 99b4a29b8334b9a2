-- Puts one message into a queue, available at once, leaves a trace of the transaction as mark_and_commit does, and commits: one
-- round trip. All of it or nothing.
-- Parameters: :token (a UUID, which identifies the transaction), and those of insert_message
-- Index: appends to all of readpast.message.
-- Locks: the new row.
/* include insert_message */;
/* include mark_and_commit */
