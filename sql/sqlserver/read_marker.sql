-- Whether a commit was refused; no row where neither that nor a commit was carried out.
-- Parameters: :token (a UUID, which identifies the transaction)
-- Index: commit_marker_key, one seek, and commit_marker_age for the row.
-- Locks: none held; on SQL Server waits for a transaction that is writing the row.
SELECT refused FROM [readpast].commit_marker WITH (FORCESEEK (commit_marker_key (token))) WHERE token = CAST(:token AS uniqueidentifier)
