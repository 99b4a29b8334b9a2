-- Puts one message among those that are not due yet, and commits, in one round trip.
-- Entered: in no transaction; the insert begins one.
-- Parameters: those of insert_delayed
-- Index: appends to the key of [readpast].delayed_message.
-- Locks: the new row, until the end of the statement.
/* include insert_delayed */;
COMMIT TRANSACTION
