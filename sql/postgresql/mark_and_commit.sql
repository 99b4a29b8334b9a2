-- Leaves a trace of the transaction and commits it, in one round trip. Where the token is there already, the commit was refused: it
-- fails with a duplicate key and nothing is committed.
-- Parameters: :token (a UUID, which identifies the transaction)
-- Index: primary key and commit_marker_age of readpast.commit_marker, one row each.
-- Locks: the new row, until the end of the statement.
INSERT INTO readpast.commit_marker (token, refused) VALUES (CAST(:token AS uuid), false);
COMMIT
