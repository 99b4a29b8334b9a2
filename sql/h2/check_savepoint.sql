-- Whether the open transaction is still the one that tell_transaction left its row in. After a deadlock H2 rolls the whole
-- transaction back, and the next statement begins another without a word.
-- Parameters: :token (a UUID)
-- Index: key of commit_marker, one seek.
-- Locks: the row.
DELETE FROM readpast.commit_marker WHERE token = CAST(:token AS uuid)
