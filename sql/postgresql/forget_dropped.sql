-- Forgets removed destinations that no transaction can have in mind any more.
-- Parameters: :age_millis
-- Index: a scan of a small table.
-- Locks: the rows.
DELETE FROM readpast.dropped_destination WHERE dropped_at < statement_timestamp() - CAST(:age_millis AS bigint) * interval '1 millisecond'
