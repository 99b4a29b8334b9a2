-- Forgets old traces of commits, and refusals after a day: a commit that was refused may be on its way for long.
-- Parameters: :age_millis (how old a trace must be), :max
-- Index: commit_marker_age from its start; commit_marker_key for each row.
-- Locks: X on the deleted rows; those that somebody else is deleting are stepped over.
DELETE TOP (:max) FROM [readpast].commit_marker WITH (READPAST, ROWLOCK)
WHERE committed_at < DATEADD(second, -CAST(:age_millis / 1000 AS int), SYSUTCDATETIME())
  AND (refused = 0 OR committed_at < DATEADD(day, -1, SYSUTCDATETIME()))
