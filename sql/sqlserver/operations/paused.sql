-- The queues that are paused.
-- Parameters: none
-- Index: destination_paused, all of it; [readpast].destination by key.
-- Locks: none.
-- Rights: GRANT SELECT ON [readpast].destination (destination_id, kind, name, paused, paused_at)
SELECT destination_id, name, paused, paused_at FROM [readpast].destination WITH (NOLOCK) WHERE paused IS NOT NULL AND kind = N'Q' ORDER BY name
