-- Forgets old traces of commits, and refusals after a day: a commit that was refused may be on its way for long.
-- Parameters: :age_millis (how old a trace must be), :max
-- Index: commit_marker_age from its start.
-- Locks: the deleted rows; those that somebody else is deleting are stepped over.
DELETE FROM readpast.commit_marker
WHERE ctid = ANY (ARRAY(
    SELECT ctid
    FROM readpast.commit_marker
    WHERE committed_at < statement_timestamp() - CAST(:age_millis AS bigint) * INTERVAL '1 millisecond'
      AND (NOT refused OR committed_at < statement_timestamp() - INTERVAL '1 day')
    ORDER BY committed_at
    LIMIT :max
    FOR UPDATE SKIP LOCKED))
