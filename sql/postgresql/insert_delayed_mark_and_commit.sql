-- Puts one message among the delayed ones, leaves a trace of the transaction as mark_and_commit does, and commits: one
-- round trip. All of it or nothing.
-- Parameters: :token (a UUID, which identifies the transaction), and those of insert_delayed
-- Index: appends to the key of readpast.delayed_message.
-- Locks: the new row.
/* include insert_delayed */;
/* include mark_and_commit */
