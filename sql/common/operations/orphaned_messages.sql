-- Messages whose destination has no row any more, so that no client finds them.
-- Parameters: none
-- Index: the keys of the message tables, a seek in each for each gap between the numbers of destinations.
-- Locks: none.
-- Rights: GRANT SELECT ON readpast.orphaned_message
SELECT destination_id, jms_destination, is_delayed, messages, oldest_enqueued_at
FROM readpast.orphaned_message
ORDER BY destination_id, is_delayed
