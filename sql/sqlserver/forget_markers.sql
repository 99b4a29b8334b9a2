-- Forgets old traces of commits, of ten minutes at the least, and refusals after a day: a commit that was refused may be on its way for
-- long. Returns how many.
-- Parameters: :age_millis (how old a trace must be), :max
-- Index: commit_marker_age from its start; commit_marker_key for each row.
-- Locks: X on the deleted rows; those that somebody else is deleting are stepped over.
DECLARE @old TABLE (token uniqueidentifier NOT NULL PRIMARY KEY);
INSERT INTO @old (token)
SELECT TOP (:max) token
FROM [readpast].removable_commit_marker WITH (READPAST, READCOMMITTEDLOCK)
WHERE committed_at < DATEADD(second, -CAST(:age_millis / 1000 AS int), SYSUTCDATETIME())
ORDER BY committed_at;
DELETE m
FROM @old AS o
INNER LOOP JOIN [readpast].removable_commit_marker AS m WITH (READPAST, ROWLOCK) ON m.token = o.token;
SELECT @@ROWCOUNT AS removed
