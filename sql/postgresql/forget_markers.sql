-- Forgets old traces of commits, of ten minutes at the least, and refusals after a day: a commit that was refused may be on its way for long.
-- Parameters: :age_millis (how old a trace must be), :max
-- Index: commit_marker_age from its start.
-- Locks: the deleted rows; those that somebody else is deleting are stepped over.
SELECT readpast.forget_markers(:age_millis, :max) AS removed
