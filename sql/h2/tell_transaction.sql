-- Leaves a row that is there for as long as this transaction is, and for nobody else: see check_savepoint, which takes it away.
-- Parameters: :token (a UUID)
-- Index: primary key and commit_marker_age of readpast.commit_marker, one row each.
-- Locks: the new row.
/* include mark_and_commit */
