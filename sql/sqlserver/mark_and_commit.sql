-- Leaves a trace of the transaction and commits it, in one round trip. Where the token is there already, the commit was refused: it
-- fails with a duplicate key and nothing is committed.
-- Entered: in a transaction, as a batch of text with its parameters as literals. SQL Server reports error 266 behind a call with
--   parameters that ends with another transaction count than it began with, although it has committed; the inner call does not.
-- Parameters: :token (a UUID, which identifies the transaction)
-- Index: commit_marker_key and commit_marker_age, one row each.
-- Locks: the new row, until the end of the statement.
BEGIN TRY
    EXECUTE sp_executesql
        N'INSERT INTO [readpast].commit_marker (token, refused) VALUES (@token, 0);',
        N'@token uniqueidentifier',
        @token = :token;
    COMMIT TRANSACTION;
END TRY
BEGIN CATCH
    /* include roll_back */
END CATCH
