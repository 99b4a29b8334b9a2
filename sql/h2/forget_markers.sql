-- Forgets old traces of commits, and refusals after a day: a commit that was refused may be on its way for long.
-- Parameters: :age_millis (how old a trace must be), :max
-- Index: commit_marker_age from its start.
-- Locks: the deleted rows.
DELETE FROM readpast.commit_marker
WHERE committed_at < DATEADD('MILLISECOND', readpast.clock_millis() - :age_millis, /* include epoch */)
  AND (NOT refused
       OR committed_at < DATEADD('MILLISECOND', readpast.clock_millis() - 86400000, /* include epoch */))
FETCH FIRST :max ROWS ONLY
