-- Refuses a commit that is in doubt: no transaction with this token can be committed any more. Fails with a duplicate key if it was
-- committed, or refused before; waits while it is under way.
-- Parameters: :token (a UUID, which identifies the transaction)
-- Index: key of commit_marker, one seek.
-- Locks: the new row, until the transaction ends; waits for one with the same key.
INSERT INTO readpast.commit_marker (token, refused) VALUES (CAST(:token AS uuid), true)
