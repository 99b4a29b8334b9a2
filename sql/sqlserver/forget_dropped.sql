-- Forgets removed destinations that no transaction can have in mind any more.
-- Parameters: :age_millis
-- Index: a scan of a small table.
-- Locks: the rows.
DELETE FROM [readpast].dropped_destination WHERE dropped_at < DATEADD(millisecond, -1 * CAST(:age_millis AS int), SYSUTCDATETIME())
