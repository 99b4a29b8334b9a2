-- The queues that are paused.
-- Parameters: none
-- Index: destination_paused, all of it; readpast.destination by key.
-- Locks: none.
-- Rights: GRANT SELECT (destination_id, kind, name, paused, paused_at) ON readpast.destination
SELECT destination_id, name, paused, paused_at FROM readpast.destination WHERE paused IS NOT NULL AND kind = 'Q' ORDER BY name
