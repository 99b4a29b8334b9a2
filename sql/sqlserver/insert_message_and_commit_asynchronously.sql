-- Puts one message into a queue, available at once, and commits as commit_asynchronously does, in one round trip.
-- Entered: in no transaction; the insert begins one.
-- Parameters: those of insert_message
-- Index: appends to all of [readpast].message.
-- Locks: the new row, until the end of the statement.
/* include insert_message */;
/* include commit_asynchronously */
