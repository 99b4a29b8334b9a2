-- Whether a commit was refused; no row where neither that nor a commit was carried out.
-- Parameters: :token (a UUID, which identifies the transaction)
-- Index: key of commit_marker, one seek.
-- Locks: none held; on SQL Server waits for a transaction that is writing the row.
SELECT refused FROM readpast.commit_marker WHERE token = CAST(:token AS uuid)
