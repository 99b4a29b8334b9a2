-- Forgets removed destinations that no transaction can have in mind any more, and of which nothing is left: what somebody still holds,
-- by lock or by lease, may come back, and is then to be swept.
-- Parameters: :age_millis
-- Index: a scan of a small table; primary key of readpast.message and delayed_message_destination, one seek each for each row.
-- Locks: the rows.
DELETE FROM readpast.dropped_destination
WHERE dropped_at < DATEADD('MILLISECOND', readpast.clock_millis() + (-1 * CAST(:age_millis AS BIGINT)), /* include epoch */)
  AND NOT EXISTS (
    SELECT 1 FROM readpast.message WHERE message.destination_id = dropped_destination.destination_id)
  AND NOT EXISTS (
    SELECT 1 FROM readpast.delayed_message WHERE delayed_message.destination_id = dropped_destination.destination_id)
