-- Leaves a trace of the transaction and commits it, in one round trip. Where the token is there already, the commit was refused: it
-- fails with a duplicate key and nothing is committed.
-- Parameters: :token (a UUID, which identifies the transaction)
-- Index: commit_marker_key and commit_marker_age, one row each.
-- Locks: the new row, until the end of the statement.
BEGIN TRY
INSERT INTO [readpast].commit_marker (token, refused) VALUES (CAST(:token AS uniqueidentifier), 0);
COMMIT TRANSACTION;
END TRY
BEGIN CATCH
    IF @@TRANCOUNT > 0
        ROLLBACK TRANSACTION;
    THROW;
END CATCH
