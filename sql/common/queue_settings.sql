-- What administrators have set for queues: which keep a history, which are paused, and which are moved to another database. Subscriptions, which come and go, have
-- none of it.
-- Parameters: none
-- Index: destination_history, destination_paused, destination_moved; readpast.destination by key.
-- Locks: none.
SELECT destination_id, 1 AS history, '' AS paused, '' AS moved, '' AS moved_database, '' AS name
FROM readpast.destination WHERE history = 1 AND kind = 'Q'
UNION ALL
SELECT destination_id, 0 AS history, paused, '' AS moved, '' AS moved_database, '' AS name
FROM readpast.destination WHERE paused IS NOT NULL AND kind = 'Q'
UNION ALL
SELECT destination_id, 0 AS history, '' AS paused, moved, moved_database, name
FROM readpast.destination WHERE moved IS NOT NULL AND kind = 'Q'
