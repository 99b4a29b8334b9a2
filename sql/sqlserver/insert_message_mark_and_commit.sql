-- Puts one message into a queue, available at once, leaves a trace of the transaction as mark_and_commit does, and commits: one
-- round trip. All of it or nothing.
-- Entered: in no transaction; the insert begins one.
-- Parameters: :token (a UUID, which identifies the transaction), and those of insert_message
-- Index: appends to all of [readpast].message.
-- Locks: the new row.
BEGIN TRY
/* include insert_message */;
INSERT INTO [readpast].commit_marker (token, refused) VALUES (CAST(:token AS uniqueidentifier), 0);
COMMIT TRANSACTION;
END TRY
BEGIN CATCH
    /* include roll_back */
END CATCH
