-- Leaves a trace of the transaction, which is committed right after. Where the token is there already, the commit was refused: it
-- fails with a duplicate key.
-- Parameters: :token (a UUID, which identifies the transaction)
-- Index: primary key and commit_marker_age of readpast.commit_marker, one row each.
-- Locks: the new row, until the transaction ends.
INSERT INTO readpast.commit_marker (token, refused) VALUES (CAST(:token AS uuid), FALSE)
