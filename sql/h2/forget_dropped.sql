-- Forgets removed destinations that no transaction can have in mind any more.
-- Parameters: :age_millis
-- Index: a scan of a small table.
-- Locks: the rows.
DELETE FROM readpast.dropped_destination WHERE dropped_at < DATEADD('MILLISECOND', readpast.clock_millis() + (-1 * CAST(:age_millis AS BIGINT)), TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00')
